import { hasWildcard, type Pattern } from '../../common/compares.ts'
import { type Sql, sql } from '../../common/sql.ts'

/** Text as a number; null if it is not a finite number. */
export function numberIn(text: Sql): Sql {
  const number = sql`toFloat64OrNull(trimBoth(${text}))`
  return sql`if(isFinite(${number}), ${number}, NULL)`
}

/** Compares text, ignoring case. */
export function matches(text: Sql, pattern: Pattern): Sql {
  if (!hasWildcard(pattern)) return sql`lowerUTF8(${text}) = lowerUTF8(${pattern.text})`
  return like(text, escapeLike(pattern.text).replaceAll(/\*+/g, '%'))
}

/** Whether text contains other text, ignoring case. The engine uses its text indexes for LIKE only. */
export function contains(text: Sql, part: string): Sql {
  return like(text, `%${escapeLike(part)}%`)
}

function like(text: Sql, pattern: string): Sql {
  return sql`lowerUTF8(${text}) LIKE lowerUTF8(${pattern})`
}

function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&')
}
