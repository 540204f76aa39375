import { Copy } from './copy.tsx'

/** Code with a label and a copy button. */
export function CodeBlock({ code, language, label }: { code: string; language: string; label: string }) {
  return (
    <figure className="code-block">
      <figcaption>
        <span>{label}</span>
        <span className="code-block-language">{language}</span>
        <Copy value={code} label={`Copy: ${label}`} />
      </figcaption>
      <pre>
        <code>{code}</code>
      </pre>
    </figure>
  )
}
