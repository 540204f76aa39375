import type { Comparison } from '../../../shared/query.ts'
import { type Sql, sql } from './sql.ts'

const operators: Readonly<Record<Comparison, Sql>> = {
  '=': sql`=`,
  '<': sql`<`,
  '<=': sql`<=`,
  '>': sql`>`,
  '>=': sql`>=`,
}

/** Compares a numeric expression with a number. */
export function compares(expression: Sql, comparison: Comparison, value: number): Sql {
  return sql`${expression} ${operators[comparison]} ${value}`
}

/** The text to compare with. `*` matches any characters unless the pattern is literal. */
export type Pattern = { text: string; isLiteral: boolean }

export function hasWildcard({ text, isLiteral }: Pattern): boolean {
  return !isLiteral && text.includes('*')
}
