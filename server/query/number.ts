import type { Comparison, Query } from '../../shared/query.ts'
import type { FieldTerm } from './field-term.ts'
import { QuerySyntaxError } from './syntax-error.ts'

/** Parses a range such as `[500 TO 599]`; `null` if the value is not a range. */
export function readRange(value: string): { from: string; to: string } | null {
  const [, from, to] = /^\[\s*(\S+)\s+TO\s+([^\s\]]+)\s*\]$/.exec(value) ?? []
  return from === undefined || to === undefined ? null : { from, to }
}

type Queries = {
  between: (from: number, to: number) => Query
  compare: (comparison: Comparison, number: number) => Query
  exists: Query
}

/** Creates a query that compares a field with a number or a range, in which `*` means an open end. */
export function compareNumber(
  term: Omit<FieldTerm, 'field'>,
  range: { from: string; to: string } | null,
  queries: Queries,
  read: (text: string) => number | null = readNumber,
): Query {
  const number = (text: string) => {
    const value = read(text)
    if (value === null) {
      throw new QuerySyntaxError(`${term.name} takes a number, and “${text}” is not one.`, term.place)
    }
    return value
  }
  if (range === null) return queries.compare(term.comparison, number(term.value))
  if (range.from === '*') return range.to === '*' ? queries.exists : queries.compare('<=', number(range.to))
  return range.to === '*'
    ? queries.compare('>=', number(range.from))
    : queries.between(number(range.from), number(range.to))
}

/** Parses a decimal number; `null` for any other text. */
export function readNumber(text: string): number | null {
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i.test(text) && Number.isFinite(Number(text))
    ? Number(text)
    : null
}

const unitsMs = new Map([
  ['', 1],
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['min', 60_000],
  ['h', 3_600_000],
])

/** Parses `250`, `250ms`, `1.5s`, `2min` or `1h` into milliseconds; `null` for any other text. */
export function readDurationMs(text: string): number | null {
  const [, digits = '', unit = ''] = /^([\d.]+)([a-z]*)$/.exec(text) ?? []
  const number = readNumber(digits)
  const scale = unitsMs.get(unit)
  return number === null || scale === undefined ? null : number * scale
}
