import { Copy } from './copy.tsx'
import { plainText } from './plain-text.ts'

/** A digest with a copy button. */
export function Digest({ value, href }: { value: string; href?: string | undefined }) {
  const shown = plainText(value)
  return (
    <span className="digest">
      {href === undefined ? (
        <code title={shown}>{shown}</code>
      ) : (
        <a href={href}>
          <code title={shown}>{shown}</code>
        </a>
      )}
      <Copy value={value} label={`Copy digest ${shown}`} />
    </span>
  )
}
