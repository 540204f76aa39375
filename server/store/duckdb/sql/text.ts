import { join, type Sql, sql } from '../../common/sql.ts'
import type { Terms } from './compute-once.ts'
import { inJson } from './match.ts'

/** Groups of the columns that are searched for text. For most events, filters show which groups may contain a word. */
export const textGroups = ['message', 'exception', 'ids', 'hex', 'context'] as const
export type TextGroup = (typeof textGroups)[number]

export const textColumns = {
  message: [sql`body`],
  exception: [sql`exception_message`, sql`exception_type`, sql`exception_stack`],
  context: [sql`route`, sql`service`, sql`attributes`],
} as const

export const idColumns = {
  ids: [sql`request_id`, sql`digest`],
  hex: [sql`trace_id`, sql`span_id`],
} as const

/**
 * Returns a condition that is true for events that contain the words, ignoring case, in the message, exception, ids, route,
 * service or attributes, including keys. Wildcards are not supported. Any column takes about as long to read as the message,
 * so columns that cannot contain the words are skipped: ids contain no spaces, and trace ids are lower-case hex.
 * @param groups the groups of columns that may contain the words
 */
export function containsText(terms: Terms, words: string, groups: readonly TextGroup[] = textGroups): Sql {
  const isWord = !/\s/.test(words)
  const isHex = /^[0-9a-f]*$/i.test(words)
  const contains = (column: Sql, text = words) =>
    sql`contains(${terms.text(sql`lower(${column})`, column)}, lower(${text}))`
  const conditions: Readonly<Record<TextGroup, () => Sql[]>> = {
    message: () => [contains(sql`body`)],
    // Few events have an exception. Without this check, the engine would read all three columns of every event.
    exception: () => [
      sql`(${terms.condition(sql`exception_type IS NOT NULL`)} AND (${join(
        textColumns.exception.map(column => contains(column)),
        ' OR ',
      )}))`,
    ],
    ids: () => (isWord ? idColumns.ids.map(column => contains(column)) : []),
    hex: () =>
      isHex
        ? [...idColumns.hex, sql`fingerprint`].map(column => terms.condition(containsHex(column, words)))
        : [],
    context: () => [contains(sql`route`), contains(sql`service`), contains(sql`attributes`, inJson(words))],
  }
  const possible = textGroups.filter(group => groups.includes(group)).flatMap(group => conditions[group]())
  return possible.length === 0 ? sql`false` : sql`(${join(possible, ' OR ')})`
}

function containsHex(column: Sql, digits: string): Sql {
  return sql`contains(${column}, ${digits.toLowerCase()})`
}
