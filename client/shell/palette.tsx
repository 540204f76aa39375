import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { pluralise } from '../../shared/format.ts'
import { Icon } from '../components/icon.tsx'
import { actionCommands } from './actions.ts'
import { commandsFor, commandsOf, screenCommands } from './commands.ts'
import { usePaletteEntries } from './palette-entries.ts'
import { listId, optionId, PaletteList } from './palette-list.tsx'
import { shortcutKey } from './shortcut-key.ts'

/**
 * The command palette for screens, services, failures, saved searches and actions. It is a dialog with a combobox and an
 * always-open listbox (https://www.w3.org/WAI/ARIA/apg/patterns/combobox/), so the focus stays in the field.
 */
export function Palette({ onClose }: { onClose: () => void }) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const [text, setText] = useState('')
  const [active, setActive] = useState(0)
  const entries = usePaletteEntries()
  const actions = useMemo(actionCommands, [])

  useEffect(() => dialog.current?.showModal(), [])

  const all = [...screenCommands, ...commandsOf(entries ?? []), ...actions]
  const commands = commandsFor(text, all)
  const last = commands.length - 1
  const current = Math.min(active, last)
  const close = () => dialog.current?.close()

  function onKey(event: KeyboardEvent): void {
    // The input method handles the key. In Safari, only code 229 identifies the key that ends the composition.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return
    // A closed dialog keeps the focus until the next frame. It ignores keys, so that Ctrl+K opens the palette again.
    if (dialog.current?.open !== true) return
    if (event.key === 'ArrowDown') setActive(current === last ? 0 : current + 1)
    else if (event.key === 'ArrowUp') setActive(current === 0 ? last : current - 1)
    else if (isPaletteShortcut(event)) close()
    else if (event.key === 'Enter') document.getElementById(optionId(id, current))?.click()
    else return
    event.preventDefault()
  }

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keyboard users can close it with Escape
    <dialog
      ref={dialog}
      className="palette"
      aria-label="Commands"
      onClose={onClose}
      onClick={event => event.target === dialog.current && close()}
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
            aria-controls={listId(id)}
            aria-activedescendant={optionId(id, current)}
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
        {entries === null && (
          <p className="palette-note">Services, failures and saved searches could not be loaded.</p>
        )}
      </div>
    </dialog>
  )
}

/** The shortcut that opens the palette also closes it. */
function isPaletteShortcut(event: KeyboardEvent): boolean {
  return (event.ctrlKey || event.metaKey) && shortcutKey(event).toLowerCase() === 'k'
}
