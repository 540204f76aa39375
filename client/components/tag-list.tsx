import { formatCount, pluralise } from '../../shared/format.ts'
import { isAscii, plainText } from './plain-text.ts'

const minTooltipLength = 12

/** Lists names, each with its own text direction. Names beyond `limit` are collapsed; `total` includes unlisted names. */
export function TagList({
  names,
  limit,
  total = names.length,
}: {
  names: readonly string[]
  limit: number
  total?: number
}) {
  // "1 more" would take as much space as the name itself.
  const shown = total <= limit + 1 ? names.length : limit
  return (
    <div className="tag-list">
      <List names={names.slice(0, shown)} />
      {shown < names.length && (
        <details>
          <summary>+{formatCount(total - shown)} more</summary>
          <List names={names.slice(shown)} />
          {names.length < total && <p className="muted">and {pluralise(total - names.length, 'other')}</p>}
        </details>
      )}
    </div>
  )
}

function List({ names }: { names: readonly string[] }) {
  return (
    <ul>
      {names.map(name => (
        <Name key={name} text={plainText(name)} />
      ))}
    </ul>
  )
}

function Name({ text }: { text: string }) {
  // Longer names may be cut off, so they have a tooltip.
  if (text.length < minTooltipLength && isAscii(text)) return <li>{text}</li>
  return (
    <li title={text}>
      <bdi>{text}</bdi>
    </li>
  )
}
