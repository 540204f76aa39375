import { type KeyboardEvent, type ReactNode, useId, useMemo, useState } from 'react'
import { pluralise } from '../../shared/format.ts'
import { Icon } from '../components/icon.tsx'
import { lengthProblem } from '../components/search-length.ts'
import { actionCommands } from './actions.ts'
import { commandsFor, commandsOf, screenCommands } from './commands.ts'
import { isForInputMethod } from './is-for-input-method.ts'
import { usePaletteEntries } from './palette-entries.ts'
import { listId, optionId, PaletteList } from './palette-list.tsx'

/** Returns the palette for a dialog. It starts with the text that is already in the dialog's field. */
export function paletteIn(dialog: HTMLDialogElement): ReactNode {
  return <Palette dialog={dialog} typed={dialog.querySelector('input')?.value ?? ''} />
}

/**
 * The command palette for screens, services, failures, saved searches and actions. It is a combobox with an always-open
 * listbox (https://www.w3.org/WAI/ARIA/apg/patterns/combobox/) in a dialog, so the focus stays in the field.
 */
function Palette({ dialog, typed }: { dialog: HTMLDialogElement; typed: string }) {
  const id = useId()
  const [text, setText] = useState(typed)
  const [active, setActive] = useState(0)
  const entries = usePaletteEntries()
  const actions = useMemo(actionCommands, [])

  const all = [...screenCommands, ...commandsOf(entries ?? []), ...actions]
  const commands = commandsFor(text, all)
  const problem = lengthProblem(text.trim())
  const last = commands.length - 1
  const current = Math.min(active, last)
  const close = () => dialog.close()

  function onKey(event: KeyboardEvent): void {
    // A closed dialog keeps the focus until the next frame.
    if (isForInputMethod(event.nativeEvent) || !dialog.open) return
    if (event.key === 'ArrowDown') setActive(current === last ? 0 : current + 1)
    else if (event.key === 'ArrowUp') setActive(current === 0 ? last : current - 1)
    else if (event.key === 'Enter') document.getElementById(optionId(id, current))?.click()
    else return
    event.preventDefault()
  }

  return (
    <div className="palette-panel">
      <div className="palette-field">
        <Icon name="search" />
        <input
          ref={focus}
          type="text"
          role="combobox"
          aria-label="Find a screen, service, failure, saved search or action"
          aria-autocomplete="list"
          aria-expanded="true"
          aria-controls={listId(id)}
          aria-activedescendant={last < 0 ? undefined : optionId(id, current)}
          placeholder="Go to screen, service, failure…"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          dir="auto"
          value={text}
          onChange={event => {
            setText(event.target.value)
            setActive(0)
          }}
          onKeyDown={onKey}
        />
        <button type="button" aria-label="Close" title="Close (Esc)" onClick={close}>
          <Icon name="close" />
        </button>
      </div>
      <PaletteList id={id} commands={commands} activeIndex={current} onPoint={setActive} onSelect={close} />
      <p className="visually-hidden" role="status">
        {entries === undefined ? '' : pluralise(commands.length, 'result')}
      </p>
      {problem !== '' && (
        <p className="palette-note" role="alert">
          {problem}
        </p>
      )}
      {entries === null && (
        <p className="palette-note">Services, failures and saved searches could not be loaded.</p>
      )}
    </div>
  )
}

function focus(field: HTMLInputElement | null): void {
  field?.focus()
}
