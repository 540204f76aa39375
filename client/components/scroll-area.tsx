import type { ReactNode } from 'react'

/** A frame in which a wide table scrolls horizontally, including by keyboard, so that the page does not. */
export function ScrollArea({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: focusable so that the arrow keys scroll it
    <section className="scroll-x" aria-label={label} tabIndex={0}>
      {children}
    </section>
  )
}
