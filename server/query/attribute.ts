import type { Query } from '../../shared/query.ts'
import type { FieldTerm } from './field-term.ts'
import { compareNumber, readRange } from './number.ts'

/** Parses an attribute term. Converts unquoted numbers and booleans; in other unquoted text, `*` matches any text. */
export function readAttribute(term: Omit<FieldTerm, 'field'>): Query {
  const { name: path, comparison, value, isQuoted } = term
  if (!isQuoted && value === '*' && comparison === '=') return { kind: 'exists', field: { path } }
  const range = isQuoted ? null : readRange(term)
  if (range !== null || comparison !== '=') {
    return compareNumber(term, range, {
      between: (from, to) => ({ kind: 'between', field: { path }, from, to }),
      compare: (sign, number) => ({ kind: 'attribute', path, comparison: sign, value: number }),
      exists: { kind: 'exists', field: { path } },
    })
  }
  if (isQuoted) {
    return value.includes('*')
      ? { kind: 'attribute', path, comparison: '=', value, literal: true }
      : { kind: 'attribute', path, comparison: '=', value }
  }
  return { kind: 'attribute', path, comparison: '=', value: typed(value) }
}

/** Converts a number only if it is in its canonical form: `007` and long ids stay text. */
function typed(value: string): string | number | boolean {
  if (value === 'true' || value === 'false') return value === 'true'
  return String(Number(value)) === value && Number.isFinite(Number(value)) ? Number(value) : value
}
