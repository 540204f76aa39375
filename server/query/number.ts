import type { Comparison, Query } from '../../shared/query.ts'
import type { FieldTerm } from './field-term.ts'
import { Unreadable } from './unreadable.ts'

/** The two ends of `[500 TO 599]`, or `null` where the value is none. */
export function readRange(value: string): { from: string; to: string } | null {
  const [, from, to] = /^\[\s*(\S+)\s+TO\s+([^\s\]]+)\s*\]$/.exec(value) ?? []
  return from === undefined || to === undefined ? null : { from, to }
}

type Forms = {
  between: (from: number, to: number) => Query
  compare: (comparison: Comparison, number: number) => Query
  exists: Query
}

/** Writes a comparison of numbers, or a range of them, in which `*` leaves an end open. */
export function compareNumber(
  term: Omit<FieldTerm, 'field'>,
  range: { from: string; to: string } | null,
  forms: Forms,
  read: (text: string) => number | null = readNumber,
): Query {
  const number = (text: string) => {
    const value = read(text)
    if (value === null) {
      throw new Unreadable(`${term.name} is compared with a number here: “${text}” is none.`, term.place)
    }
    return value
  }
  if (range === null) return forms.compare(term.comparison, number(term.value))
  if (range.from === '*') return range.to === '*' ? forms.exists : forms.compare('<=', number(range.to))
  return range.to === '*'
    ? forms.compare('>=', number(range.from))
    : forms.between(number(range.from), number(range.to))
}

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

/** `250`, `250ms`, `1.5s`, `2min`, `1h`: milliseconds. */
export function readDurationMs(text: string): number | null {
  const [, digits = '', unit = ''] = /^([\d.]+)([a-z]*)$/.exec(text) ?? []
  const number = readNumber(digits)
  const scale = unitsMs.get(unit)
  return number === null || scale === undefined ? null : number * scale
}
