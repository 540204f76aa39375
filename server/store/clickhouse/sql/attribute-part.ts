import type { Pattern } from '../../common/compares.ts'

/**
 * Returns text that the attributes' JSON contains whenever the attribute exists and matches the pattern, ignoring the case
 * of ASCII letters; `null` if there is no such text. `attributesJson` writes the JSON. It adds no spaces, and escapes only
 * quotation marks, backslashes, control characters and lone surrogates.
 * @param pattern `null` for any value
 */
export function attributePart(path: string, pattern: Pattern | null): string | null {
  const key = path.slice(path.lastIndexOf('.') + 1)
  if (isPosition(key)) return null
  return `${keyPart(key)}${pattern === null ? '' : valueStart(pattern)}`
}

/** Returns text that the attributes' JSON contains whenever it has the key. */
export function keyPart(key: string): string {
  const [end = ''] = /[ !#-[\]-~]*$/.exec(key) ?? []
  return `${end}":`
}

/** Whether a key may be a position in a list. */
export function isPosition(key: string): boolean {
  return /^\d+$/.test(key)
}

/**
 * Returns the start of a matching JSON string; empty if a value of another type may match, because ClickHouse may format
 * such a value differently.
 */
function valueStart({ text, isLiteral }: Pattern): string {
  const fixed = isLiteral ? text : text.replace(/\*.*/s, '')
  const isOther =
    /^[-\d{[]/.test(fixed) || ['true', 'false'].some(each => each.startsWith(fixed.toLowerCase()))
  if (isOther) return ''
  // `i` and `k` are also the lower-case forms of U+0130 and U+212A.
  const plain = fixed.replace(/[^ !#-[\]-~].*|[ikIK].*/s, '')
  return plain === text ? `"${plain}"` : `"${plain}`
}
