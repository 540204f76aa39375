import { Copy } from './copy.tsx'

/** A digest, as it came, with a button that copies it. */
export function Digest({ value, href }: { value: string; href?: string | undefined }) {
  return (
    <span className="digest">
      {href === undefined ? (
        <code>{value}</code>
      ) : (
        <a href={href}>
          <code>{value}</code>
        </a>
      )}
      <Copy value={value} label={`Copy digest ${value}`} />
    </span>
  )
}
