import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { pluralise } from '../../shared/format.ts'
import { type PaletteEntry, paletteEntryKinds } from '../../shared/palette-entry.ts'
import { paths } from '../../shared/paths.ts'
import { Icon } from '../components/icon.tsx'
import { plainText } from '../components/plain-text.ts'
import { usePage } from '../page.ts'
import { actionCommands } from './actions.ts'
import { type Command, commandsFor, commandsOf, screenCommands } from './commands.ts'
import { shortcutKey } from './shortcut-key.ts'

/**
 * The command palette for screens, services, failures, saved searches and actions. It is a dialog with a combobox and an
 * always open listbox (https://www.w3.org/WAI/ARIA/apg/patterns/combobox/), so the focus stays in the field.
 */
export function Palette({ onClose }: { onClose: () => void }) {
  const id = useId()
  const { preferences } = usePage()
  const dialog = useRef<HTMLDialogElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const [text, setText] = useState('')
  const [active, setActive] = useState(0)
  const entries = useEntries()
  const actions = useMemo(() => actionCommands(preferences), [preferences])

  useEffect(() => dialog.current?.showModal(), [])
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  })

  const all = [...screenCommands, ...commandsOf(entries ?? []), ...actions]
  const commands = commandsFor(text, all)
  const groups = [...new Set(commands.map(({ group }) => group))]
  const last = commands.length - 1
  const current = Math.min(active, last)
  const optionId = (index: number) => `${id}-${index}`

  function onKey(event: KeyboardEvent): void {
    // The input method handles the key. In Safari, the key that ends the composition has only the code 229.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return
    // A closed dialog keeps the focus until the next frame. It ignores keys, so that Ctrl+K opens the palette again.
    if (dialog.current?.open !== true) return
    if (event.key === 'ArrowDown') setActive(current === last ? 0 : current + 1)
    else if (event.key === 'ArrowUp') setActive(current === 0 ? last : current - 1)
    else if (isPaletteShortcut(event)) dialog.current?.close()
    else if (event.key === 'Enter') document.getElementById(optionId(current))?.click()
    else return
    event.preventDefault()
  }

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it by keyboard
    <dialog
      ref={dialog}
      className="palette"
      aria-label="Commands"
      onClose={onClose}
      onClick={event => event.target === dialog.current && dialog.current.close()}
    >
      <div className="palette-panel">
        <div className="palette-field">
          <Icon name="search" />
          <input
            type="text"
            role="combobox"
            aria-label="Find a screen, service, failure, saved search or action"
            aria-autocomplete="list"
            aria-expanded="true"
            aria-controls={`${id}-list`}
            aria-activedescendant={optionId(current)}
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
          <button
            type="button"
            aria-label="Close"
            title="Close (Esc)"
            onClick={() => dialog.current?.close()}
          >
            <Icon name="close" />
          </button>
        </div>
        <div ref={list} id={`${id}-list`} className="palette-list" role="listbox" aria-label="Commands">
          {groups.map(group => (
            // biome-ignore lint/a11y/useSemanticElements: a group of options, not of fields
            <div key={group} role="group" aria-labelledby={`${id}-${group}`}>
              <div id={`${id}-${group}`} className="palette-group">
                {group}
              </div>
              {commands.map(
                (command, index) =>
                  command.group === group && (
                    <Option
                      key={optionId(index)}
                      id={optionId(index)}
                      command={command}
                      isActive={index === current}
                      onPoint={() => setActive(index)}
                      onSelect={() => dialog.current?.close()}
                    />
                  ),
              )}
            </div>
          ))}
        </div>
        <p className="visually-hidden" role="status">
          {entries === undefined ? '' : pluralise(commands.length, 'result')}
        </p>
        {entries === null && <p className="palette-note">Services and failures could not be loaded.</p>}
      </div>
    </dialog>
  )
}

/** The shortcut that opens the palette also closes it. */
function isPaletteShortcut(event: KeyboardEvent): boolean {
  return (event.ctrlKey || event.metaKey) && shortcutKey(event).toLowerCase() === 'k'
}

function Option(props: {
  id: string
  command: Command
  isActive: boolean
  onPoint: () => void
  onSelect: () => void
}) {
  const { id, command, isActive, onPoint, onSelect } = props
  const option = {
    id,
    role: 'option',
    tabIndex: -1,
    className: 'palette-option',
    'aria-selected': isActive,
    onPointerMove: onPoint,
  }
  const words = (
    <>
      <bdi>{plainText(command.label)}</bdi>
      {command.hint !== undefined && command.hint !== '' && (
        <span className="palette-hint">{plainText(command.hint)}</span>
      )}
    </>
  )
  return 'href' in command ? (
    <a {...option} href={command.href} download={command.isFile} onClick={onSelect}>
      {words}
    </a>
  ) : (
    <button
      type="button"
      {...option}
      onClick={() => {
        // Closes the palette first, so that the focus is restored before the action moves it.
        onSelect()
        command.act()
      }}
    >
      {words}
    </button>
  )
}

/** Loads entries from the server: `undefined` while loading, `null` if the request failed. */
function useEntries(): PaletteEntry[] | null | undefined {
  const [entries, setEntries] = useState<PaletteEntry[] | null>()
  useEffect(() => {
    const unmounted = new AbortController()
    const show = (loaded: PaletteEntry[] | null) => {
      if (!unmounted.signal.aborted) setEntries(loaded)
    }
    fetchEntries(unmounted.signal).then(show, () => show(null))
    return () => unmounted.abort()
  }, [])
  return entries
}

async function fetchEntries(signal: AbortSignal): Promise<PaletteEntry[] | null> {
  const response = await fetch(paths.find(), { signal })
  const body: unknown = response.ok ? await response.json() : null
  return Array.isArray(body) && body.every(isPaletteEntry) ? body : null
}

function isPaletteEntry(value: unknown): value is PaletteEntry {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return false
  const textKeys = ['label', 'hint', 'searchText', 'href'] as const
  const has = (name: string) => name in value && typeof Reflect.get(value, name) === 'string'
  return paletteEntryKinds.some(kind => kind === value.kind) && textKeys.every(has)
}
