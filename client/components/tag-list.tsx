import { formatCount, pluralise } from '../../shared/format.ts'
import { isAscii, plainText } from './plain-text.ts'

const minTooltipLength = 12

/** Lists names, each with its own text direction. Names beyond `limit` are collapsed; `total` includes unlisted names. */
export function TagList({
  names,
  limit,
  total = names.length,
  hrefFor,
}: {
  names: readonly string[]
  limit: number
  total?: number
  hrefFor?: HrefFor
}) {
  // "1 more" would take as much space as the name itself.
  const shown = total <= limit + 1 ? names.length : limit
  return (
    <div className="tag-list">
      <List names={names.slice(0, shown)} hrefFor={hrefFor} />
      {shown < names.length && (
        <details>
          <summary>+{formatCount(total - shown)} more</summary>
          <List names={names.slice(shown)} hrefFor={hrefFor} />
          {names.length < total && <p className="muted">and {pluralise(total - names.length, 'other')}</p>}
        </details>
      )}
    </div>
  )
}

type HrefFor = ((name: string) => string) | undefined

function List({ names, hrefFor }: { names: readonly string[]; hrefFor: HrefFor }) {
  return (
    <ul>
      {names.map(name => (
        <Name key={name} text={plainText(name)} href={hrefFor?.(name)} />
      ))}
    </ul>
  )
}

function Name({ text, href }: { text: string; href: string | undefined }) {
  // Longer names may be cut off, so they have a tooltip.
  const isPlain = text.length < minTooltipLength && isAscii(text)
  const name = isPlain ? text : <bdi>{text}</bdi>
  return <li title={isPlain ? undefined : text}>{href === undefined ? name : <a href={href}>{name}</a>}</li>
}
