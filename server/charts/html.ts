/**
 * HTML and SVG as text. Only `html` makes them, and it escapes whatever is put into it: text and attribute
 * values alike.
 */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Part = Html | string | number | null | readonly Part[]

/** Tagged template: the literal parts stay as they are, every value is escaped, but for HTML itself. */
export function html(literals: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(literals.map((literal, index) => literal + written(parts[index] ?? null)).join(''))
}

/**
 * Escapes for element content and quoted attribute values. Control characters that HTML does not allow become
 * U+FFFD, as the parser would make them.
 */
export function escapeHtml(text: string): string {
  return (
    text
      .replace(/[&<>"']/g, char => `&#${char.charCodeAt(0)};`)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this takes out
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]|\p{Cs}/gu, '\ufffd')
  )
}

function written(part: Part): string {
  if (part === null) return ''
  if (part instanceof Html) return part.text
  if (typeof part === 'object') return part.map(written).join('')
  return escapeHtml(String(part))
}
