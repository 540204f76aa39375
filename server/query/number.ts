import type { Comparison, Query } from '../../shared/query.ts'
import type { FieldTerm } from './field-term.ts'
import { QuerySyntaxError } from './syntax-error.ts'

type Term = Omit<FieldTerm, 'field'>
type Range = { from: string; to: string }

/** A range, or `{1 TO 5}`, which excludes both ends in other search languages. */
const anyRange = /^[[{]\s*(\S+)\s+TO\s+([^\s\]}]+)\s*[\]}]$/i

/**
 * Parses a range such as `[500 TO 599]`; `null` if the value is not a range.
 * @throws QuerySyntaxError for a comparison with a range, and for other brackets
 */
export function readRange({ name, comparison, value, position }: Term): Range | null {
  const range = rangeIn(value)
  if (range === null) return null
  const valid = `${name}:[${range.from} TO ${range.to}]`
  if (comparison !== '=') {
    throw new QuerySyntaxError(`A range can’t be compared with ${comparison}. Use ${valid}.`, {
      from: position.from - comparison.length,
      to: position.to,
    })
  }
  if (/^\[.*\sTO\s.*\]$/s.test(value)) return range
  throw new QuerySyntaxError(
    `A range includes both ends. Write it with square brackets, and TO in capitals: ${valid}.`,
    position,
  )
}

/** Returns the ends of a range with any brackets; `null` for other text. */
export function rangeIn(value: string): Range | null {
  const [, from, to] = anyRange.exec(value) ?? []
  return from === undefined || to === undefined ? null : { from, to }
}

type Queries<Value> = {
  between: (from: Value, to: Value) => Query
  compare: (comparison: Comparison, value: Value) => Query
  exists: Query
}

/** Creates a query that compares a field with a value or a range, in which `*` means an open end. */
export function compareValue<Value>(
  term: Term,
  range: Range | null,
  queries: Queries<Value>,
  read: (text: string) => Value,
): Query {
  if (range === null) return queries.compare(term.comparison, read(term.value))
  if (range.from === '*') return range.to === '*' ? queries.exists : queries.compare('<=', read(range.to))
  return range.to === '*'
    ? queries.compare('>=', read(range.from))
    : queries.between(read(range.from), read(range.to))
}

/** Like `compareValue`, for a number. */
export function compareNumber(
  term: Term,
  range: Range | null,
  queries: Queries<number>,
  read: (text: string) => number | null = readNumber,
): Query {
  return compareValue(term, range, queries, text => {
    const value = read(text)
    if (value === null) {
      throw new QuerySyntaxError(`${term.name} takes a number, and “${text}” is not one.`, term.position)
    }
    return value
  })
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
  // The product of decimal fractions is inexact: 2.01 * 1000 is less than 2010.
  return number === null || scale === undefined ? null : Number((number * scale).toPrecision(15))
}
