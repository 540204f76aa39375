import { join, type Sql, sql } from '../../common/sql.ts'
import { containing } from './match.ts'

/**
 * All columns that a search for text looks at, in lower case. The server uses its index of this expression only if a condition
 * has the same expression, and in `indexHint` only if the expression contains no constants.
 */
export const searchedText = sql`concat(
  lowerUTF8(body), lowerUTF8(service), lowerUTF8(attributes),
  ${join(
    [
      sql`route`,
      sql`request_id`,
      sql`trace_id`,
      sql`span_id`,
      sql`digest`,
      sql`fingerprint`,
      sql`exception_type`,
      sql`exception_message`,
      sql`exception_stack`,
    ].map(column => sql`lowerUTF8(assumeNotNull(${column}))`),
    ', ',
  )})`

/**
 * Always true, but lets the server skip events in which no searched column contains any of the parts.
 * A condition for these events must be added.
 */
export function skipUnlessContains(parts: readonly string[]): Sql {
  const conditions = parts.map(part => sql`${searchedText} LIKE lowerUTF8(${containing(part)})`)
  return sql`indexHint(${join(conditions, ' OR ')})`
}
