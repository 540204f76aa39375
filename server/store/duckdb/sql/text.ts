import { inJson } from './match.ts'
import { join, type Sql, sql } from './sql.ts'

/**
 * The words stand, in any case, in the message, the exception, an id, the route, the service or the attributes,
 * keys included; nothing in them is a wildcard. Every column that is read costs about as much as the message, so a column
 * that cannot hold the words is left out: ids hold no space, and those of traces are lower-case hex.
 */
export function textHeld(words: string): Sql {
  const isWord = !/\s/.test(words)
  const isHex = /^[0-9a-f]*$/i.test(words)
  const conditions = [
    holds(sql`body`, words),
    // Nearly no event has an exception; the check keeps the others from being read for three columns.
    sql`(exception_type IS NOT NULL AND (${join(
      [sql`exception_message`, sql`exception_type`, sql`exception_stack`].map(column => holds(column, words)),
      ' OR ',
    )}))`,
    ...(isWord ? [sql`request_id`, sql`digest`].map(column => holds(column, words)) : []),
    ...(isHex ? [sql`trace_id`, sql`span_id`, sql`fingerprint`].map(column => holdsHex(column, words)) : []),
    holds(sql`route`, words),
    holds(sql`service`, words),
    holds(sql`attributes`, inJson(words)),
  ]
  return sql`(${join(conditions, ' OR ')})`
}

function holds(column: Sql, words: string): Sql {
  return sql`contains(lower(${column}), lower(${words}))`
}

function holdsHex(column: Sql, digits: string): Sql {
  return sql`contains(${column}, ${digits.toLowerCase()})`
}
