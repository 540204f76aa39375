import { inJson } from './match.ts'
import { join, type Sql, sql } from './sql.ts'

/**
 * Returns a condition that is true for events that contain the words, ignoring case, in the message, exception, ids, route,
 * service or attributes, including keys. There are no wildcards. Reading any column costs about as much as reading the message, so
 * columns that cannot contain the words are left out: ids contain no spaces, and trace ids are lower-case hex.
 */
export function containsText(words: string): Sql {
  const isWord = !/\s/.test(words)
  const isHex = /^[0-9a-f]*$/i.test(words)
  const conditions = [
    contains(sql`body`, words),
    // Few events have an exception. Without this check, the engine would read all three columns of every event.
    sql`(exception_type IS NOT NULL AND (${join(
      [sql`exception_message`, sql`exception_type`, sql`exception_stack`].map(column =>
        contains(column, words),
      ),
      ' OR ',
    )}))`,
    ...(isWord ? [sql`request_id`, sql`digest`].map(column => contains(column, words)) : []),
    ...(isHex
      ? [sql`trace_id`, sql`span_id`, sql`fingerprint`].map(column => containsHex(column, words))
      : []),
    contains(sql`route`, words),
    contains(sql`service`, words),
    contains(sql`attributes`, inJson(words)),
  ]
  return sql`(${join(conditions, ' OR ')})`
}

function contains(column: Sql, words: string): Sql {
  return sql`contains(lower(${column}), lower(${words}))`
}

function containsHex(column: Sql, digits: string): Sql {
  return sql`contains(${column}, ${digits.toLowerCase()})`
}
