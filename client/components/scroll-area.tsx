import type { ReactNode } from 'react'

/** Lets a wide table scroll horizontally, also by keyboard, so that the page never does. */
export function ScrollArea({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: focusable so that the arrow keys scroll it
    <section className="scroll-x" aria-label={label} tabIndex={0}>
      {children}
    </section>
  )
}
