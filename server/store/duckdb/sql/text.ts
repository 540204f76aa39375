import type { Terms } from './compute-once.ts'
import { inJson } from './match.ts'
import { join, type Sql, sql } from './sql.ts'

/**
 * Returns a condition that is true for events that contain the words, ignoring case, in the message, exception, ids, route,
 * service or attributes, including keys. Wildcards are not supported. Any column takes about as long to read as the message,
 * so columns that cannot contain the words are skipped: ids contain no spaces, and trace ids are lower-case hex.
 */
export function containsText(terms: Terms, words: string): Sql {
  const isWord = !/\s/.test(words)
  const isHex = /^[0-9a-f]*$/i.test(words)
  const contains = (column: Sql, text = words) =>
    sql`contains(${terms.text(sql`lower(${column})`, column)}, lower(${text}))`
  const conditions = [
    contains(sql`body`),
    // Few events have an exception. Without this check, the engine would read all three columns of every event.
    sql`(${terms.condition(sql`exception_type IS NOT NULL`)} AND (${join(
      [sql`exception_message`, sql`exception_type`, sql`exception_stack`].map(column => contains(column)),
      ' OR ',
    )}))`,
    ...(isWord ? [sql`request_id`, sql`digest`].map(column => contains(column)) : []),
    ...(isHex
      ? [sql`trace_id`, sql`span_id`, sql`fingerprint`].map(column =>
          terms.condition(containsHex(column, words)),
        )
      : []),
    contains(sql`route`),
    contains(sql`service`),
    contains(sql`attributes`, inJson(words)),
  ]
  return sql`(${join(conditions, ' OR ')})`
}

function containsHex(column: Sql, digits: string): Sql {
  return sql`contains(${column}, ${digits.toLowerCase()})`
}
