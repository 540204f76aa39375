import type { Tone } from './badge.tsx'

/** The change in a number, in words. The tone shows whether the change is good. */
export type StatChange = { words: string; direction: 'up' | 'down' | null; tone: Tone }

const arrows = { up: '▲ ', down: '▼ ' }

/** A labelled number, with its previous value and the change in words. */
export function Stat(props: {
  label: string
  value: string
  before?: string | undefined
  change?: StatChange | null | undefined
  /** Makes the value a link. `label` is the link's accessible name. */
  link?: { href: string; label: string } | undefined
  title?: string | undefined
}) {
  const { value, change, link } = props
  return (
    <dl className="stat" title={props.title}>
      <dt>{props.label}</dt>
      <dd className="stat-value">
        {link === undefined ? (
          value
        ) : (
          <a href={link.href} aria-label={link.label}>
            {value}
          </a>
        )}
      </dd>
      {change && (
        <dd className="stat-change" data-tone={change.tone}>
          {change.direction !== null && <span aria-hidden="true">{arrows[change.direction]}</span>}
          {change.words}
        </dd>
      )}
      {props.before !== undefined && <dd className="stat-before">{`${props.before} previously`}</dd>}
    </dl>
  )
}
