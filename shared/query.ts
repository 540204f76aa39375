import { type SearchWord, searchWords, wordsOutside } from './query-words.ts'
import type { Severity } from './severity.ts'

/**
 * The fields of the search language, each with its aliases in lower case: common abbreviations, and names from pino and
 * OpenTelemetry. Events rarely have attributes with these names, because the server moves them into fields (field-names.ts).
 * Any other name is the dotted path of an attribute.
 */
export const fieldNames = [
  ['severity', 'level', 'sev'],
  ['service', 'svc', 'service.name'],
  ['release', 'version', 'service.version'],
  ['source'],
  ['route', 'http.route'],
  ['method', 'http.request.method', 'http.method', 'req.method'],
  ['status', 'statuscode', 'status_code', 'http.response.status_code', 'http.status_code', 'res.statuscode'],
  ['duration', 'durationms', 'duration_ms', 'responsetime'],
  ['message', 'msg', 'body'],
  ['digest'],
  ['fingerprint'],
  ['failure'],
  ['request', 'req', 'reqid', 'requestid', 'request_id', 'req.id'],
  ['trace', 'traceid', 'trace_id', 'trace.id'],
  ['span', 'spanid', 'span_id', 'span.id'],
  ['exception', 'err', 'error'],
] as const
export type QueryField = (typeof fieldNames)[number][0]

export type Comparison = '=' | '<' | '<=' | '>' | '>='

/**
 * A parsed search, independent of any store.
 * - `text`: the message, the exception, an id, the route, the service or an attribute contains the text, ignoring case.
 * - `field` and `attribute`: `=` ignores case. `*` in a string matches any characters, unless the term is `literal`.
 *   Ordering comparisons accept only numbers (for `severity`, a severity). If the value is a string, `=` also compares
 *   numeric attributes as text, because ids can be numbers or strings.
 * - `exists`: the field has any value (`digest:*`).
 */
export type Query =
  | { kind: 'all' }
  | { kind: 'and'; left: Query; right: Query }
  | { kind: 'or'; left: Query; right: Query }
  | { kind: 'not'; query: Query }
  | { kind: 'text'; text: string }
  | {
      kind: 'field'
      field: QueryField
      comparison: Comparison
      value: string | number | Severity
      literal?: true
    }
  | {
      kind: 'attribute'
      path: string
      comparison: Comparison
      value: string | number | boolean
      literal?: true
    }
  | { kind: 'exists'; field: QueryField | { path: string } }
  | { kind: 'between'; field: QueryField | { path: string }; from: number; to: number }

/** A query for one value of a field. A `*` in the value has no special meaning. */
export function fieldEquals(field: QueryField, value: string): Query {
  return { kind: 'field', field, comparison: '=', value, literal: true }
}

/** A syntax error in a search; `from` and `to` are offsets into the text. */
export type QueryProblem = { message: string; from: number; to: number }

/** Finds a field by its name or an alias, ignoring case. Returns `null` if the name is an attribute. */
export function fieldByName(name: string): QueryField | null {
  const lower = name.toLowerCase()
  return fieldNames.find((names: readonly string[]) => names.includes(lower))?.[0] ?? null
}

/** Returns the field that a name in a search means, or `@` and the path of the attribute. */
export function nameOf(typed: string): string {
  const name = unquoted(typed)
  return fieldByName(name) ?? name.replace(/^(attributes\.)?/, '@')
}

/** Returns an attribute's name in the search language: `attributes.level` if the path alone would mean a field. */
export function attributeField(path: string): string {
  const name = fieldByName(path) !== null || path.startsWith('attributes.') ? `attributes.${path}` : path
  return /^[\p{L}_@$][\p{L}\p{N}_@$.-]*$/u.test(name) ? name : inQuotes(name)
}

/** Quotes a value if necessary, so that it is parsed as one literal term. After a colon, unquoted `//` would be text. */
export function quoted(value: string): string {
  return /^(?!\/\/)[\w./][\w.@/-]*$/.test(value) && !/^(AND|OR|NOT)$/.test(value) ? value : inQuotes(value)
}

function inQuotes(value: string): string {
  return `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

/** Returns the text of a quoted name or value. Returns other text unchanged. */
export function unquoted(text: string): string {
  return text.startsWith('"') ? text.slice(1, -1).replace(/\\(["\\])/g, '$1') : text
}

/**
 * Returns `field:value`. Quotes digits in the text of an attribute, because a number also finds other text: 1.1 equals 1.10.
 */
export function termOf(field: string, value: string | number): string {
  if (typeof value === 'number') return `${field}:${value}`
  const isDigits = fieldByName(field) === null && /^\d[\dx.]*$/i.test(value)
  return `${field}:${isDigits ? inQuotes(value) : quoted(value)}`
}

/**
 * Adds a term to a search: `service:api`, or `-service:api` to exclude the value. Removes the opposite term, and does not
 * repeat an equal term. Otherwise, the result is equivalent to the previous search AND the term.
 */
export function withTerm(text: string, field: string, value: string | number, exclude = false): string {
  const term = `${exclude ? '-' : ''}${termOf(field, value)}`
  const opposite = exclude ? term.slice(1) : `-${term}`
  return joined(withoutTerm(withoutTerm(text, term), opposite), term)
}

/** The term that adds Sixpane's own events to the log, which otherwise hides them. */
export const ownEventsTerm = 'source:*'

/** Adds Sixpane's own events to a search. */
export function withOwnEvents(text: string): string {
  return joined(withoutTerm(text, ownEventsTerm), ownEventsTerm)
}

/** Undoes `withOwnEvents`. Returns the same search if it has no such term. */
export function hidingOwnEvents(text: string): string {
  return withoutTerm(text, ownEventsTerm)
}

/** Returns a search equivalent to `text` AND `term`. */
function joined(text: string, term: string): string {
  const rest = grouped(text)
  return rest === '' ? term : `${rest} ${term}`
}

/** Removes a term from a search, unless that would change the meaning of the rest. */
export function withoutTerm(text: string, term: string): string {
  const words = wordsOutside(searchWords(text))
  if (words.some(({ kind }) => kind === 'or')) return text.trim()
  let rest = ''
  let from = 0
  for (const [index, word] of words.entries()) {
    const before = words[index - 1]
    const dashed = before?.kind === 'not' && before.text === '-'
    const start = dashed ? index - 1 : index
    const isSeparate = !isOperator(words[start - 1]) && !isOperator(words[index + 1])
    if (word.kind !== 'term' || `${dashed ? '-' : ''}${word.text}` !== term || !isSeparate) continue
    rest += text.slice(from, words[start]?.from)
    from = words[index + 1]?.from ?? text.length
  }
  return (rest + text.slice(from)).trim()
}

function isOperator(word: SearchWord | undefined): boolean {
  return word !== undefined && /^(AND|OR|NOT)$/.test(word.text)
}

/** Adds parentheses if the search contains an OR, which has a lower precedence than the AND before an added term. */
function grouped(text: string): string {
  const words = searchWords(text)
  if (!wordsOutside(words).some(({ kind }) => kind === 'or')) return text
  // Without the space, the parenthesis would become part of a last word such as `total(`.
  return words.at(-1)?.text.includes('(') ? `(${text} )` : `(${text})`
}
