import type { Severity } from './event.ts'
import { type SearchWord, searchWords } from './query-words.ts'

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
  'failure',
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
 *   characters, unless the term is `literal`; an ordering comparison takes a number only (for `severity`, a
 *   severity). An attribute equals what its text equals, be it a number or a string: ids come in both forms.
 * - `exists`: the field is there at all (`digest:*`).
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

/** Why a search could not be read, and where: offsets into the text as it was typed. */
export type QueryProblem = { message: string; from: number; to: number }

/** Other names of the fields, in lower case: what pino, OpenTelemetry and people call them. */
export const fieldAliases: ReadonlyMap<string, QueryField> = new Map([
  ['level', 'severity'],
  ['sev', 'severity'],
  ['svc', 'service'],
  ['version', 'release'],
  ['msg', 'message'],
  ['body', 'message'],
  ['req', 'request'],
  ['reqid', 'request'],
  ['requestid', 'request'],
  ['request_id', 'request'],
  ['traceid', 'trace'],
  ['trace_id', 'trace'],
  ['spanid', 'span'],
  ['span_id', 'span'],
  ['err', 'exception'],
  ['error', 'exception'],
  ['statuscode', 'status'],
  ['status_code', 'status'],
  ['durationms', 'duration'],
  ['responsetime', 'duration'],
])

/** The field that a name stands for, in any case, or `null` where it names an attribute. */
export function fieldNamed(name: string): QueryField | null {
  const lower = name.toLowerCase()
  return queryFields.find(field => field === lower) ?? fieldAliases.get(lower) ?? null
}

/** How the search language names an attribute: `attributes.level` where the path alone would be a field. */
export function attributeField(path: string): string {
  const name = fieldNamed(path) !== null || path.startsWith('attributes.') ? `attributes.${path}` : path
  return /^[\p{L}_@$][\p{L}\p{N}_@$.-]*$/u.test(name) ? name : inQuotes(name)
}

/** Quotes a value so that it reads back as one literal term of the language. */
export function quoted(value: string): string {
  return /^[\w./][\w.@/-]*$/.test(value) && !/^(AND|OR|NOT)$/.test(value) ? value : inQuotes(value)
}

function inQuotes(value: string): string {
  return `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

/**
 * Adds a term to a search as it was typed: `service:api`, or `-service:api` to leave it out. What holds for
 * events then is what held before and the term; a term that stands there already is not doubled, and its
 * opposite gives way to it.
 */
export function withTerm(text: string, field: string, value: string | number, exclude = false): string {
  const term = `${exclude ? '-' : ''}${field}:${quoted(String(value))}`
  const opposite = exclude ? term.slice(1) : `-${term}`
  const kept = grouped(withoutTerm(withoutTerm(text, term), opposite))
  return kept === '' ? term : `${kept} ${term}`
}

/** Takes a term out of a search as it was typed, where the rest means the same without it. */
export function withoutTerm(text: string, term: string): string {
  const words = outerWords(text)
  if (words.some(({ kind }) => kind === 'or')) return text.trim()
  let kept = ''
  let from = 0
  for (const [index, word] of words.entries()) {
    const before = words[index - 1]
    const dashed = before?.kind === 'not' && before.text === '-'
    const start = dashed ? index - 1 : index
    const alone = !isOperator(words[start - 1]) && !isOperator(words[index + 1])
    if (word.kind !== 'term' || `${dashed ? '-' : ''}${word.text}` !== term || !alone) continue
    kept += text.slice(from, words[start]?.from)
    from = words[index + 1]?.from ?? text.length
  }
  return (kept + text.slice(from)).trim()
}

/** The words that stand in no parentheses, and the outer parentheses themselves. */
function outerWords(text: string): SearchWord[] {
  let depth = 0
  return searchWords(text).filter(({ kind }) => {
    if (kind === 'close') depth -= 1
    const outer = depth === 0
    if (kind === 'open') depth += 1
    return outer
  })
}

function isOperator(word: SearchWord | undefined): boolean {
  return word !== undefined && /^(AND|OR|NOT)$/.test(word.text)
}

/** In parentheses where a term beside it would bind more tightly than its OR. */
function grouped(text: string): string {
  const words = outerWords(text)
  if (!words.some(({ kind }) => kind === 'or')) return text
  // The space keeps the parenthesis out of a last word such as `total(`.
  return words.at(-1)?.text.includes('(') ? `(${text} )` : `(${text})`
}
