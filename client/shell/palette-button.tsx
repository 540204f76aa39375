import { type ReactNode, useRef, useState, useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'
import { Icon } from '../components/icon.tsx'
import { showProblem } from '../page-notice.ts'
import { paletteButtonId } from './element-ids.ts'

/**
 * Opens and closes the command palette. Its code is loaded on first use. Until then, the dialog contains only a field, because
 * the keys that the visitor types would otherwise act as shortcuts.
 */
export function PaletteButton() {
  const dialog = useRef<HTMLDialogElement>(null)
  const [content, setContent] = useState<ReactNode>(null)
  const shortcut = useSyncExternalStore(neverChanges, platformShortcut, () => 'Ctrl K')

  async function toggle() {
    const palette = dialog.current
    if (palette === null) return
    if (palette.open) return palette.close()
    flushSync(() => setContent(emptyField))
    palette.showModal()
    try {
      const { paletteIn } = await import('./palette.tsx')
      if (palette.open) flushSync(() => setContent(paletteIn(palette)))
    } catch {
      palette.close()
      showProblem('The command palette could not be loaded')
    }
  }

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
      <dialog
        ref={dialog}
        className="palette"
        aria-label="Commands"
        onClose={({ currentTarget }) => {
          // Browsers fire this event only in the next frame, when the palette may already be open again.
          if (!currentTarget.open) setContent(null)
        }}
        // Releasing a selection of text outside the panel also clicks the dialog. Safari 17 does not support `closedby`.
        onMouseDown={event => {
          if (event.target !== event.currentTarget) return
          // Otherwise, the browser would take the focus from the element that gets it when the dialog closes.
          event.preventDefault()
          event.currentTarget.close()
        }}
      >
        {content}
      </dialog>
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
