import type { ReactNode } from 'react'

/** A frame that scrolls a wide table horizontally, including by keyboard, so that the page does not scroll. */
export function ScrollArea({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: focusable so that the arrow keys scroll it
    <section className="scroll-x" aria-label={label} tabIndex={0}>
      {children}
    </section>
  )
}
