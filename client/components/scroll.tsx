import type { ReactNode } from 'react'

/** A frame in which a wide table scrolls, also by keyboard; the page never does. `label` names the table. */
export function Scroll({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no pointer scrolls it by the arrow keys
    <section className="scroll-x" aria-label={label} tabIndex={0}>
      {children}
    </section>
  )
}
