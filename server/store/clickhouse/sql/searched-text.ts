import { join, type Sql, sql } from '../../common/sql.ts'
import { containing } from './match.ts'

/**
 * All columns that are searched for text, in lower case. ClickHouse uses the index on this expression only for a condition
 * with the same expression, and in `indexHint` only if the expression contains no constants.
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
 * Lets ClickHouse skip events in which no searched column contains any of the parts.
 * @param condition true only for events that contain one of the parts
 */
export function skipUnlessContains(parts: readonly string[], condition: Sql): Sql {
  const conditions = parts.map(part => sql`${searchedText} LIKE lowerUTF8(${containing(part)})`)
  return sql`(indexHint(${join(conditions, ' OR ')}) AND ${condition})`
}
