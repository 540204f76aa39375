import type { Severity } from './event.ts'

/** The fields of the search language; anything else is looked up in the attributes, by dotted path. */
export const queryFields = [
  'severity',
  'service',
  'release',
  'source',
  'route',
  'method',
  'status',
  'duration',
  'message',
  'digest',
  'fingerprint',
  'request',
  'trace',
  'span',
  'exception',
] as const
export type QueryField = (typeof queryFields)[number]

export type Comparison = '=' | '<' | '<=' | '>' | '>='

/**
 * What a search asks for, free of any store's dialect.
 * - `text`: the words stand, in any case, in the message, the exception, an id or an attribute.
 * - `field` and `attribute`: `=` compares without regard to case; `*` in a string matches any run of
 *   characters; an ordering comparison takes a number only (for `severity`, a severity).
 * - `exists`: the field is there at all (`digest:*`).
 */
export type Query =
  | { kind: 'all' }
  | { kind: 'and'; left: Query; right: Query }
  | { kind: 'or'; left: Query; right: Query }
  | { kind: 'not'; query: Query }
  | { kind: 'text'; text: string }
  | { kind: 'field'; field: QueryField; comparison: Comparison; value: string | number | Severity }
  | { kind: 'attribute'; path: string; comparison: Comparison; value: string | number | boolean }
  | { kind: 'exists'; field: QueryField | { path: string } }
  | { kind: 'between'; field: QueryField | { path: string }; from: number; to: number }

/** Why a search could not be read, and where: offsets into the text as it was typed. */
export type QueryProblem = { message: string; from: number; to: number }

/** Quotes a value so that it reads back as one literal term of the language. */
export function quoted(value: string): string {
  return /^[\w.@/-]+$/.test(value) && !/^(AND|OR|NOT)$/i.test(value) && !value.startsWith('-')
    ? value
    : `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

/** Adds a term to a search as it was typed: `service:api`, or `-service:api` to leave it out. */
export function withTerm(text: string, field: string, value: string | number, exclude = false): string {
  const term = `${exclude ? '-' : ''}${field}:${quoted(String(value))}`
  const opposite = exclude ? term.slice(1) : `-${term}`
  const kept = withoutTerm(withoutTerm(text, term), opposite)
  return kept === '' ? term : `${kept} ${term}`
}

/** Takes a term out of a search as it was typed, where it stands as a word of its own. */
export function withoutTerm(text: string, term: string): string {
  const words = text.match(/(?:"(?:\\.|[^"\\])*"|\S)+/g) ?? []
  return words.filter(word => word !== term).join(' ')
}
