import { type ReactNode, useRef, useState, useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'
import { announce } from '../announce.ts'
import { Icon } from '../components/icon.tsx'
import { paletteButtonId } from './element-ids.ts'

type Opening = { number: number; content: ReactNode }

/**
 * Opens and closes the command palette. Its code is loaded on first use. Until then, the dialog contains only a field, because
 * the keys that the visitor types would otherwise act as shortcuts.
 */
export function PaletteButton() {
  const [opening, setOpening] = useState<Opening | null>(null)
  const openings = useRef(0)
  const dialog = useRef<HTMLDialogElement>(null)
  const shortcut = useSyncExternalStore(neverChanges, platformShortcut, () => 'Ctrl K')

  async function toggle() {
    if (dialog.current?.open) return dialog.current.close()
    openings.current += 1
    const number = openings.current
    flushSync(() => setOpening({ number, content: emptyField }))
    dialog.current?.showModal()
    try {
      const { Palette } = await import('./palette.tsx')
      const typed = dialog.current?.querySelector('input')?.value ?? ''
      const content = <Palette dialog={dialog} typed={typed} />
      flushSync(() => setOpening(current => (current?.number === number ? { number, content } : current)))
    } catch {
      announce('The command palette could not be loaded')
      dialog.current?.close()
    }
  }

  // Browsers fire a dialog's `close` event only in the next frame, when the palette may already be open again.
  const close = ({ number }: Opening) => setOpening(current => (current?.number === number ? null : current))

  return (
    <>
      <button
        id={paletteButtonId}
        type="button"
        className="shell-commands needs-script"
        aria-label={`Commands, ${shortcut}`}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        title="Commands (Ctrl K, ⌘ K)"
        onClick={toggle}
      >
        <kbd>{shortcut}</kbd>
        <Icon name="more" />
      </button>
      {opening !== null && (
        // biome-ignore lint/a11y/useKeyWithClickEvents: keyboard users can close it with Escape
        <dialog
          key={opening.number}
          ref={dialog}
          className="palette"
          aria-label="Commands"
          onClose={() => close(opening)}
          onClick={event => event.target === dialog.current && dialog.current.close()}
        >
          {opening.content}
        </dialog>
      )}
    </>
  )
}

const emptyField = (
  <div className="palette-panel">
    <div className="palette-field">
      <Icon name="search" />
      <input aria-label="Commands" />
    </div>
  </div>
)

const neverChanges = () => () => {}

function platformShortcut(): string {
  return /Mac|iP/.test(navigator.platform) ? '⌘ K' : 'Ctrl K'
}
