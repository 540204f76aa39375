import { type ComponentType, useRef, useState, useSyncExternalStore } from 'react'
import { announce } from '../announce.ts'
import { Icon } from '../components/icon.tsx'
import { paletteButtonId } from './element-ids.ts'

type Opening = { number: number; Palette: ComponentType<{ onClose: () => void }> }

/** Opens the command palette. Its code is loaded on first use. */
export function PaletteButton() {
  const [opening, setOpening] = useState<Opening | null>(null)
  const openings = useRef(0)
  const shortcut = useSyncExternalStore(neverChanges, platformShortcut, () => 'Ctrl K')

  async function open() {
    try {
      const { Palette } = await import('./palette.tsx')
      openings.current += 1
      setOpening({ number: openings.current, Palette })
    } catch {
      announce('The command palette could not be loaded')
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
        onClick={open}
      >
        <kbd>{shortcut}</kbd>
        <Icon name="more" />
      </button>
      {opening !== null && <opening.Palette key={opening.number} onClose={() => close(opening)} />}
    </>
  )
}

const neverChanges = () => () => {}

function platformShortcut(): string {
  return /Mac|iP/.test(navigator.platform) ? '⌘ K' : 'Ctrl K'
}
