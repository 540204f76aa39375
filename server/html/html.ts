import { escapeHtml } from './escape.ts'

/** Escaped HTML or SVG. Create it only with the `html` template or `jsonAttribute`. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Part = Html | string | number | null | readonly Part[]

/** Tagged template for HTML and SVG: escapes all interpolated values except `Html`. */
export function html(literals: TemplateStringsArray, ...parts: Part[]): Html {
  let text = literals[0] ?? ''
  for (let index = 0; index < parts.length; index += 1) {
    text += toText(parts[index] ?? null) + (literals[index + 1] ?? '')
  }
  return new Html(text)
}

function toText(part: Part): string {
  if (part === null) return ''
  if (typeof part === 'string') return escapeHtml(part)
  if (typeof part === 'number') return String(part)
  if (part instanceof Html) return part.text
  return part.map(toText).join('')
}

/** Returns an attribute whose value is JSON. Uses single quotes, because JSON contains many double quotes. */
export function jsonAttribute(name: string, value: unknown): Html {
  const json = JSON.stringify(value).replaceAll('&', '&amp;').replaceAll("'", '&#39;').replaceAll('<', '&lt;')
  return new Html(` ${name}='${json}'`)
}
