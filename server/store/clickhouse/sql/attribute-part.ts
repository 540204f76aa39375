import type { Pattern } from '../../common/compares.ts'

/**
 * Text that the JSON of the attributes contains if an attribute exists and matches the pattern, apart from the case of ASCII
 * letters. `null` if there is no such text. Attributes are stored by `JSON.stringify`, which adds no spaces and escapes
 * quotation marks, backslashes, control characters and lone surrogates only.
 * @param pattern `null` for any value
 */
export function attributePart(path: string, pattern: Pattern | null): string | null {
  const key = path.slice(path.lastIndexOf('.') + 1)
  if (isPosition(key)) return null
  return `${keyPart(key)}${pattern === null ? '' : valueStart(pattern)}`
}

/** Text that the JSON of the attributes contains if they have a key. */
export function keyPart(key: string): string {
  const [end = ''] = /[ !#-[\]-~]*$/.exec(key) ?? []
  return `${end}":`
}

/** Whether a key may be a position in a list. */
export function isPosition(key: string): boolean {
  return /^\d+$/.test(key)
}

/** The start of a JSON string that matches. Empty if other JSON may match, which the server may write differently. */
function valueStart({ text, isLiteral }: Pattern): string {
  const fixed = isLiteral ? text : text.replace(/\*.*/s, '')
  const isOther =
    /^[-\d{[]/.test(fixed) || ['true', 'false'].some(each => each.startsWith(fixed.toLowerCase()))
  if (isOther) return ''
  // `i` and `k` are also the lower case of U+0130 and U+212A.
  const plain = fixed.replace(/[^ !#-[\]-~].*|[ikIK].*/s, '')
  return plain === text ? `"${plain}"` : `"${plain}`
}
