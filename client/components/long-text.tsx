import { formatCount } from '../../shared/format.ts'
import { plainText } from './plain-text.ts'

const defaultLimit = 600

/** Text in any script and direction. Text longer than the limit is collapsed. */
export function LongText({ text, characterLimit = defaultLimit }: { text: string; characterLimit?: number }) {
  const plain = plainText(text)
  if (plain.length <= characterLimit)
    return (
      <div className="long-text" dir="auto">
        {plain}
      </div>
    )
  const start = [...plain.slice(0, characterLimit)].slice(0, -1).join('')
  return (
    <details className="long-text-fold">
      <summary>
        <span className="long-text" dir="auto">
          {plainText(start)}…
        </span>
        <span className="fold-label">all {formatCount(plain.length)} characters</span>
      </summary>
      <div className="long-text" dir="auto">
        {plain}
      </div>
    </details>
  )
}
