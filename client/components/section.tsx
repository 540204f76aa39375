import type { ReactNode } from 'react'
import { formatCount } from '../../shared/format.ts'

/** A screen section with a heading; `id` is its anchor. */
export function Section(props: {
  title: string
  id: string
  count?: number | string | undefined
  actions?: ReactNode
  children: ReactNode
}) {
  const { title, id, count, actions, children } = props
  return (
    <section className="section" id={id} aria-labelledby={`${id}-title`}>
      <header className="section-head">
        <h2 id={`${id}-title`}>{title}</h2>
        {count !== undefined && (
          <span className="section-count">{typeof count === 'number' ? formatCount(count) : count}</span>
        )}
        {actions !== undefined && <div className="section-actions">{actions}</div>}
      </header>
      {children}
    </section>
  )
}
