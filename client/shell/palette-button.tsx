import { type ComponentType, useState } from 'react'
import { announce } from '../announce.ts'
import { Icon } from '../components/icon.tsx'
import { paletteButtonId } from './element-ids.ts'

/** Opens the command palette, and loads its code on first use. */
export function PaletteButton() {
  const [Palette, setPalette] = useState<ComponentType<{ onClose: () => void }> | null>(null)
  const [isOpen, setOpen] = useState(false)

  async function open() {
    try {
      const loaded = await import('./palette.tsx')
      setPalette(() => loaded.Palette)
      setOpen(true)
    } catch {
      announce('The command palette could not be loaded')
    }
  }

  return (
    <>
      <button
        id={paletteButtonId}
        type="button"
        className="shell-commands needs-script"
        aria-label="Commands"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        title="Commands (Ctrl K, ⌘ K)"
        onClick={open}
      >
        <Icon name="command" />
      </button>
      {Palette !== null && isOpen && <Palette onClose={() => setOpen(false)} />}
    </>
  )
}
