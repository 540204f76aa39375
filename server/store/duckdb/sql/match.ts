import type { Comparison } from '../../../../shared/query.ts'
import { type Sql, sql } from './sql.ts'

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

/** Compares text, ignoring case; `*` matches any characters. */
export function matches(expression: Sql, pattern: string): Sql {
  return pattern.includes('*')
    ? sql`lower(${expression}) LIKE lower(${likePattern(pattern)}) ESCAPE '\\'`
    : sql`lower(${expression}) = lower(${pattern})`
}

/** Escapes text as in a JSON string. */
export function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

function likePattern(pattern: string): string {
  return pattern.replaceAll(/[\\%_]/g, '\\$&').replaceAll('*', '%')
}
