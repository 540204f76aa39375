import { hasWildcard, type Pattern } from '../../common/compares.ts'
import { type Sql, sql } from '../../common/sql.ts'

/** Text as a number; null if it is not a finite number. */
export function numberIn(text: Sql): Sql {
  // `if` would make ClickHouse parse the text twice when it evaluates a condition for only some of the events.
  return sql`arrayFirstOrNull(number -> isFinite(number), [toFloat64OrNull(trimBoth(${text}))])`
}

/** Compares text, ignoring case. */
export function matches(text: Sql, pattern: Pattern): Sql {
  if (!hasWildcard(pattern)) return sql`lowerUTF8(${text}) = lowerUTF8(${pattern.text})`
  return like(text, escapeLike(pattern.text).replaceAll(/\*+/g, '%'))
}

/** Whether text contains other text, ignoring case. */
export function contains(text: Sql, part: string): Sql {
  return like(text, containing(part))
}

/**
 * Whether text contains ASCII text, ignoring the case of ASCII letters. `lowerUTF8` is slow if even one of many texts is
 * not ASCII.
 */
export function containsAscii(text: Sql, part: string): Sql {
  return sql`lower(${text}) LIKE lower(${containing(part)})`
}

/** Returns a `LIKE` pattern that matches text containing the part. */
export function containing(part: string): string {
  return `%${escapeLike(part)}%`
}

function like(text: Sql, pattern: string): Sql {
  return sql`lowerUTF8(${text}) LIKE lowerUTF8(${pattern})`
}

function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&')
}
