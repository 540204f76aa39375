import { raw, type Sql } from '../../common/sql.ts'

/**
 * A part of a statement that cannot be a bound value, such as the name of a cluster between quotation marks.
 * @throws TypeError unless the text consists of letters, digits, `_`, `-` and `.`
 */
export function verbatim(text: string): Sql {
  if (!/^[a-zA-Z0-9_.-]+$/.test(text)) throw new TypeError('Not a plain name')
  return raw(text)
}
