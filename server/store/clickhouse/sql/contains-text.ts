import { join, type Sql, sql } from '../../common/sql.ts'
import { contains, containsAscii } from './match.ts'
import { skipUnlessContains } from './searched-text.ts'

/** Shorter text occurs in most events, so checking for it first would only add time. */
const minPartLength = 3

/**
 * Whether the message, exception, ids, route, service or attributes, including keys, contain the words, ignoring case. Ids
 * contain no spaces, and trace ids are lower-case hex, so these columns are skipped for most words.
 * @param addsIndexHint whether to add the hint for the index of searched text, which ClickHouse cannot use after NOT
 */
export function containsText(words: string, addsIndexHint = true): Sql {
  const inJson = jsonPart(words)
  const condition = anyContains(words, inJson)
  return addsIndexHint
    ? skipUnlessContains(words === inJson ? [words] : [words, inJson], condition)
    : condition
}

/** The words as they are written in attributes, which are JSON text. */
function jsonPart(words: string): string {
  return JSON.stringify(words).slice(1, -1)
}

function anyContains(words: string, inJson: string): Sql {
  const columns = [sql`body`, sql`route`, sql`service`]
  const exception = [sql`exception_type`, sql`exception_message`, sql`exception_stack`]
  if (!/\s/.test(words)) columns.push(sql`request_id`, sql`digest`)
  if (/^[0-9a-f]*$/i.test(words)) columns.push(sql`trace_id`, sql`span_id`, sql`fingerprint`)
  columns.push(...exception)
  const condition = any([
    ...columns.map(column => contains(column, words)),
    contains(sql`attributes`, inJson),
  ])
  const part = longestPlainPart(words)
  if (part.length < minPartLength) return condition
  const mayMatch = anyAtOnce([...columns, sql`attributes`].map(column => containsAscii(column, part)))
  if (part === words) return mayMatch
  // A single `if` for all columns is faster than `AND`, or than an `if` for each column.
  return sql`if(${mayMatch}, ${condition}, false)`
}

function any(conditions: readonly Sql[]): Sql {
  return sql`(${join(conditions, ' OR ')})`
}

/**
 * Like `any`, but never NULL. Faster if few events match, because `OR` copies the events that do not match yet before each
 * further condition.
 */
function anyAtOnce(conditions: readonly Sql[]): Sql {
  const numbers = conditions.map(condition => sql`ifNull(${condition}, false)`)
  return sql`(${join(numbers, ' + ')} > 0)`
}

/**
 * Returns the longest part of the words that all matching text and JSON contain, ignoring the case of ASCII letters.
 * Excludes `i` and `k`, because they are also the lower-case forms of U+0130 and U+212A.
 */
function longestPlainPart(words: string): string {
  const parts = words.split(/[^ !#-[\]-~]|[ikIK]/)
  return parts.reduce((longest, part) => (part.length > longest.length ? part : longest))
}
