import { formatCount } from '../../shared/format.ts'
import { plainText } from './plain-text.ts'

/** Names in a row, each in its own direction and no longer than a line; those beyond `most` unfold. */
export function Names({ names, most }: { names: readonly string[]; most: number }) {
  // One more takes no more room than saying so.
  const shown = names.length <= most + 1 ? names.length : most
  return (
    <div className="names">
      <List names={names.slice(0, shown)} />
      {shown < names.length && (
        <details>
          <summary>{formatCount(names.length - shown)} more</summary>
          <List names={names.slice(shown)} />
        </details>
      )}
    </div>
  )
}

function List({ names }: { names: readonly string[] }) {
  return (
    <ul>
      {names.map(name => (
        <li key={name} title={plainText(name)}>
          <bdi>{plainText(name)}</bdi>
        </li>
      ))}
    </ul>
  )
}
