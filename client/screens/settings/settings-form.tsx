import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { paths } from '../../../shared/paths.ts'
import { type SaveNotice, type SettingsSection, settingsForms } from '../../../shared/screens/settings.ts'
import { Button } from '../../components/button.tsx'
import { Icon } from '../../components/icon.tsx'
import { hasChangedText } from '../../unsaved.ts'
import { hasChanges, isChangedField } from './changed-fields.ts'

/** The id of the Undo button's form. The form is separate, because pressing Enter in a field would otherwise click Undo. */
const undoFormId = (section: SettingsSection) => `undo-${section}`

/** The value in the URL after the entered values of a section have been discarded. */
const discarded = (section: SettingsSection) => `${section}-discarded`

type Props = {
  section: SettingsSection
  /** The value of the `form` field. */
  form: string
  /** Identifies the stored values that the fields show. */
  version?: string
  /** The number of invalid fields. */
  problems: number
  /** Whether the fields contain values that the user entered instead of the stored ones. */
  isUnsaved?: boolean
  /** Shown while the form has no other status. */
  hint?: string | undefined
  /** Confirms that this form was saved. */
  saved?: SaveNotice | null | undefined
  /** The label of the submit button. */
  save?: string
  saveName?: string
  /** With JavaScript, saves each change immediately and hides the submit button. */
  savesChanges?: boolean
  /** Other submit buttons. */
  actions?: ReactNode
  children: ReactNode
}

/** A form with a footer that says whether its values are saved. Its Save button stands out only if they are not. */
export function SettingsForm(props: Props) {
  const {
    section,
    form,
    version,
    problems,
    isUnsaved = problems > 0,
    saved,
    savesChanges = false,
    hint,
    children,
  } = props
  const { save = 'Save', saveName, actions } = props
  const [hasEdits, setEdits] = useState(false)
  const isChanged = hasEdits || isUnsaved
  // With `savesChanges`, only text can be unsaved, because other changes are saved immediately.
  const differs = savesChanges ? hasChangedText : hasChanges
  const element = useRef<HTMLFormElement>(null)
  useWhenReplaced(isUnsaved, () => {
    const form = element.current
    // `submit.ts` resets a form that is being submitted, unless the visitor has continued to type.
    if (form?.ariaBusy !== null) return
    // Forms in a list do not get `saved`, so the URL is checked, too. Until the new page is shown, the URL names the section
    // whose values were discarded.
    if (saved?.section === section || location.search.includes(discarded(section))) return form.reset()
    // The visitor has saved another form, so this form keeps its edited fields and shows them.
    setEdits(differs(form))
    for (const field of form.elements) {
      const details = isChangedField(field) && field.closest('details')
      if (details) details.open = true
    }
  })
  const [shownVersion, setShownVersion] = useState(version)
  useLayoutEffect(() => {
    const form = element.current
    // Edited fields stay as they are when another form is saved, and so does the version that they are based on. A busy form is
    // being saved, so text that was entered in the meantime continues the saved text. The same applies to an undo.
    const isOwnChange = isUnsaved || form?.ariaBusy !== null || saved?.section === section
    if (form && (isOwnChange || !differs(form))) setShownVersion(version)
    // `submit.ts` does not reset a form if some of its fields were already saved by an earlier request.
    if (form && !differs(form)) setEdits(false)
  })
  useEffect(() => {
    if (isUnsaved) keepText(element.current)
  }, [isUnsaved])
  useEffect(() => (savesChanges ? submitChanges(element.current) : undefined), [savesChanges])
  return (
    <form
      ref={element}
      className="settings-form"
      method="post"
      action={paths.settings({ section })}
      data-unsaved={isUnsaved || undefined}
      onInput={({ currentTarget }) => setEdits(differs(currentTarget))}
      onReset={() => {
        setEdits(false)
        setShownVersion(version)
      }}
    >
      <input type="hidden" name="form" value={form} />
      {version !== undefined && <input type="hidden" name="version" value={shownVersion} />}
      {children}
      <div className="settings-foot">
        {isChanged ? (
          <Unsaved section={section} problems={problems} isUnsaved={isUnsaved} />
        ) : (
          <Status section={section} saved={saved} hint={hint} />
        )}
        {/* The first button, because pressing Enter in a field clicks the first button. */}
        <span className={savesChanges ? 'without-script' : undefined}>
          <Button type="submit" kind={isChanged ? 'primary' : 'plain'} aria-label={saveName}>
            {save}
          </Button>
        </span>
        {actions}
      </div>
    </form>
  )
}

/**
 * Marks the text in a rejected form as entered by the user. In a server-rendered form, the text is only the default value
 * of the fields, so the stored values would replace it as soon as they are rendered.
 */
function keepText(form: HTMLFormElement | null): void {
  for (const field of form?.elements ?? []) {
    if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) {
      const { value } = field
      field.value = value
    }
  }
}

/** Calls `act` when stored values have replaced the entered ones in the props. The fields still contain the entered ones. */
function useWhenReplaced(isUnsaved: boolean, act: () => void): void {
  const wasUnsaved = useRef(isUnsaved)
  useLayoutEffect(() => {
    if (wasUnsaved.current && !isUnsaved) act()
    wasUnsaved.current = isUnsaved
  })
}

/**
 * Submits the form on the browser's `change` event, because React also calls `onChange` while the visitor is typing. Sends
 * only the changed fields, so that the others do not reset what was changed in another tab.
 */
function submitChanges(form: HTMLFormElement | null): (() => void) | undefined {
  if (form === null) return
  let latest: EventTarget | null = null
  const submit = ({ target }: Event) => {
    latest = target
    form.requestSubmit()
  }
  const removeUnchanged = ({ formData }: FormDataEvent) => {
    // The latest field may be back at its default while an earlier request is pending. Rejected text is the default.
    const sent = [...form.elements].filter(
      field =>
        field === latest || isChangedField(field) || field.matches('[type=hidden], [aria-invalid=true]'),
    )
    const names = new Set(sent.map(field => field.getAttribute('name')))
    for (const name of [...formData.keys()]) if (!names.has(name)) formData.delete(name)
  }
  form.addEventListener('change', submit)
  form.addEventListener('formdata', removeUnchanged)
  return () => {
    form.removeEventListener('change', submit)
    form.removeEventListener('formdata', removeUnchanged)
  }
}

function Status({ section, saved, hint }: Pick<Props, 'section' | 'saved' | 'hint'>) {
  if (saved?.section === section) return <Saved saved={saved} />
  return hint !== undefined && <p className="settings-status muted">{hint}</p>
}

type UnsavedProps = Pick<Props, 'section' | 'problems'> & { isUnsaved: boolean }

function Unsaved({ section, problems, isUnsaved }: UnsavedProps) {
  return (
    <div className="settings-status">
      {problems > 0 ? (
        <p className="field-problem" role="alert">
          <Icon name="error" />
          <span>
            Not saved. Check the {problems === 1 ? 'highlighted field' : `${problems} highlighted fields`}.
          </span>
        </p>
      ) : (
        <span>Unsaved changes</span>
      )}
      {isUnsaved ? (
        // The page contains only the entered values, so the stored ones must be loaded.
        <a href={paths.settings({ done: discarded(section), section })}>Discard</a>
      ) : (
        <button type="reset" className="link-button">
          Discard
        </button>
      )}
    </div>
  )
}

/** The outcome of a form in this section, with a button that undoes the change. */
export function Saved({ saved: { section, text, undoId } }: { saved: SaveNotice }) {
  return (
    <div className="settings-status" data-outcome="">
      <Icon name="check" />
      <span>{text}</span>
      {undoId !== null && (
        <Button type="submit" form={undoFormId(section)} name="undo" value={undoId}>
          Undo
        </Button>
      )}
    </div>
  )
}

/** The form that the undo button in `Saved` submits. */
export function UndoForm({ section }: { section: SettingsSection }) {
  return (
    <form id={undoFormId(section)} method="post" action={paths.settings({ section })} hidden>
      <input type="hidden" name="form" value={settingsForms.undo} />
      <input type="hidden" name="section" value={section} />
    </form>
  )
}
