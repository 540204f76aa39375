import type { Comparison } from '../../../../shared/query.ts'
import { type Sql, sql } from '../../common/sql.ts'

const operators: Readonly<Record<Comparison, Sql>> = {
  '=': sql`=`,
  '<': sql`<`,
  '<=': sql`<=`,
  '>': sql`>`,
  '>=': sql`>=`,
}

/** Compares a number. */
export function compares(expression: Sql, comparison: Comparison, value: number): Sql {
  return sql`${expression} ${operators[comparison]} ${value}`
}

/** Text as a number; null if it is not a finite number. */
export function numberIn(text: Sql): Sql {
  const number = sql`toFloat64OrNull(trimBoth(${text}))`
  return sql`if(isFinite(${number}), ${number}, NULL)`
}

/** The text to compare with. `*` matches any characters unless the pattern is literal. */
export type Pattern = { text: string; isLiteral: boolean }

/** Compares text, ignoring case. */
export function matches(text: Sql, { text: pattern, isLiteral }: Pattern): Sql {
  if (isLiteral || !pattern.includes('*')) return sql`lowerUTF8(${text}) = lowerUTF8(${pattern})`
  return like(text, escapeLike(pattern).replaceAll(/\*+/g, '%'))
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
