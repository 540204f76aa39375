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
  let text = literals[0] ?? ''
  for (let index = 0; index < parts.length; index += 1) {
    text += written(parts[index] ?? null) + (literals[index + 1] ?? '')
  }
  return new Html(text)
}

// Nearly no text holds any of these: one look is much quicker than the replacements.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what escaping takes out
const wantsEscaping = /[&<>"'\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff]/

/**
 * Escapes for element content and quoted attribute values. Control characters that HTML does not allow become
 * U+FFFD, as the parser would make them.
 */
export function escapeHtml(text: string): string {
  if (!wantsEscaping.test(text)) return text
  return (
    text
      .replace(/[&<>"']/g, char => `&#${char.charCodeAt(0)};`)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this takes out
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]|\p{Cs}/gu, '\ufffd')
  )
}

function written(part: Part): string {
  if (part === null) return ''
  if (typeof part === 'string') return escapeHtml(part)
  if (typeof part === 'number') return String(part)
  if (part instanceof Html) return part.text
  return part.map(written).join('')
}
