import type { ReactNode } from 'react'
import { formatCount } from '../../shared/format.ts'

/** A link that applies or removes a filter. */
export function Chip(props: {
  href: string
  active: boolean
  count?: number | undefined
  children: ReactNode
}) {
  return (
    <a className="chip" href={props.href} aria-current={props.active ? 'true' : undefined}>
      {props.children}
      {props.count !== undefined && <span className="chip-count">{formatCount(props.count)}</span>}
    </a>
  )
}
