import { type AttributeKey, isAttributeKey } from '../../../shared/columns.ts'
import { type Query, type QueryField, withTerm } from '../../../shared/query.ts'
import { searchWords } from '../../../shared/query-words.ts'
import { type Severity, severities } from '../../../shared/severity.ts'
import { parseQuery } from '../../query/parse.ts'
import { conditionsOf, sidesOf } from './conditions.ts'

/** The name of a field, or the key of an attribute. */
type Name = QueryField | AttributeKey

/** A search, both as typed and as parsed. */
export type Search = { q: string; query: Query }

/**
 * Returns the search without the terms of a field or attribute. Returns the same object if there are none. If no terms
 * remain, the result matches everything.
 */
export function withoutField(query: Query, field: Name): Query {
  return removeField(query, field) ?? { kind: 'all' }
}

/**
 * Returns the search without the severity conditions that every matching event meets, or the same object if there are none.
 * Does not change `(severity:error timeout) OR refused`, in which the severity applies only to `timeout`.
 */
export function withoutSeverities(query: Query): Query {
  return removeSeverities(query) ?? { kind: 'all' }
}

function removeSeverities(query: Query): Query | null {
  if (removeField(query, 'severity') === null) return null
  const { kind } = query
  if (kind !== 'and' && (kind !== 'or' || !haveSameSeverity(query))) return query
  const [left, right] = [removeSeverities(query.left), removeSeverities(query.right)]
  if (left === query.left && right === query.right) return query
  if (left !== null && right !== null) return { kind, left, right }
  return kind === 'and' ? (left ?? right) : null
}

/** Whether both sides are limited to the same single severity, as in `(severity:error a) OR (severity:error b)`. */
function haveSameSeverity({ left, right }: { left: Query; right: Query }): boolean {
  const severity = severitiesOf(left)
  return severity?.length === 1 && severity.join() === severitiesOf(right)?.join()
}

function removeField(query: Query, field: Name): Query | null {
  switch (query.kind) {
    case 'not': {
      const inner = removeField(query.query, field)
      if (inner === query.query) return query
      return inner === null ? null : { kind: 'not', query: inner }
    }
    case 'and':
    case 'or': {
      const left = removeField(query.left, field)
      const right = removeField(query.right, field)
      if (left === query.left && right === query.right) return query
      return left === null || right === null ? (left ?? right) : { kind: query.kind, left, right }
    }
    default:
      return nameIn(query) === field ? null : query
  }
}

/** Returns the field or attribute of a term, or `null` for text. */
function nameIn(query: Query): Name | null {
  switch (query.kind) {
    case 'attribute':
      return `@${query.path}`
    case 'field':
    case 'between':
    case 'exists':
      return typeof query.field === 'string' ? query.field : `@${query.field.path}`
    default:
      return null
  }
}

/** Returns the keys of the attributes that a search filters by. Omits keys that are too long for a URL. */
export function attributesIn(query: Query): AttributeKey[] {
  if (query.kind === 'not') return attributesIn(query.query)
  if (query.kind === 'and' || query.kind === 'or')
    return [...attributesIn(query.left), ...attributesIn(query.right)]
  const name = nameIn(query)
  return name !== null && isAttributeKey(name) ? [name] : []
}

/** Returns the severities that a search can match; `null` if it can match all of them. */
export function severitiesOf(query: Query): Severity[] | null {
  const left = severities.filter(severity => mayMatch(query, severity) !== false)
  return left.length === severities.length ? null : left
}

/** Whether an event of this severity matches; `null` if that depends on its other fields. */
function mayMatch(query: Query, severity: Severity): boolean | null {
  switch (query.kind) {
    case 'not': {
      const inner = mayMatch(query.query, severity)
      return inner === null ? null : !inner
    }
    case 'and':
    case 'or': {
      const decisive = query.kind === 'or'
      const sides = [mayMatch(query.left, severity), mayMatch(query.right, severity)]
      return sides.includes(decisive) ? decisive : sides.includes(null) ? null : !decisive
    }
    case 'field':
      return query.field === 'severity' ? compare(severity, query.comparison, query.value) : null
    case 'all':
      return true
    default:
      return null
  }
}

type FieldQuery = Extract<Query, { kind: 'field' }>

function compare(
  severity: Severity,
  comparison: FieldQuery['comparison'],
  value: FieldQuery['value'],
): boolean | null {
  const other = severities.find(each => each === value)
  // A pattern (`*`) may match several severities.
  if (other === undefined) return null
  const distance = severities.indexOf(severity) - severities.indexOf(other)
  switch (comparison) {
    case '=':
      return distance === 0
    case '<':
      return distance < 0
    case '<=':
      return distance <= 0
    case '>':
      return distance > 0
    case '>=':
      return distance >= 0
  }
}

/**
 * Returns a function that limits the search to one severity, or removes the conditions on the severity if the search is
 * already limited to that severity.
 */
export function severityToggle({ q, query }: Search): (severity: Severity) => string {
  const selected = severitiesOf(query)
  const rest = removeField(query, 'severity') === query ? q : textWithoutSeverities(q)
  return severity =>
    selected?.length === 1 && selected[0] === severity ? rest : withTerm(rest, 'severity', severity)
}

/** Like `withoutSeverities`, for the text of a search. */
function textWithoutSeverities(q: string): string {
  if (isSeverities(q)) return ''
  const sides = sidesOf(q)
  if (sides !== null) {
    const parsed = parseQuery(q)
    if (!('query' in parsed && parsed.query.kind === 'or' && haveSameSeverity(parsed.query))) return q
    const rest = sides.map(textWithoutSeverities)
    return rest.includes('') ? '' : rest.join(' OR ')
  }
  return conditionsOf(q)
    .map(({ gap, text }) => ({ gap, rest: conditionWithoutSeverities(text) }))
    .filter(({ rest }) => rest !== '')
    .map(({ gap, rest }, index) => (index === 0 ? rest : gap + rest))
    .join('')
}

function conditionWithoutSeverities(text: string): string {
  if (isSeverities(text)) return ''
  if (!text.startsWith('(')) return text
  const rest = textWithoutSeverities(text.slice(1, -1))
  return rest && `(${rest})`
}

/** Whether a search has only severity terms. */
function isSeverities(text: string): boolean {
  const parsed = parseQuery(text)
  return 'query' in parsed && removeField(parsed.query, 'severity') === null
}

/** Returns the terms of a search as typed, including leading dashes. */
export function termsOf(q: string): string[] {
  const words = searchWords(q)
  return words.flatMap(({ kind, text }, index) => {
    if (kind !== 'term') return []
    return [words[index - 1]?.text === '-' ? `-${text}` : text]
  })
}

/** Returns the values of a field or attribute that the search requires (`included`) or excludes. */
export function filteredValues(query: Query, field: Name): { included: string[]; excluded: string[] } {
  if (query.kind === 'and') {
    const left = filteredValues(query.left, field)
    const right = filteredValues(query.right, field)
    return {
      included: [...left.included, ...right.included],
      excluded: [...left.excluded, ...right.excluded],
    }
  }
  if (query.kind === 'not') return { included: [], excluded: valuesIn(query.query, field) ?? [] }
  return { included: valuesIn(query, field) ?? [], excluded: [] }
}

/** Returns the values of `field:a OR field:b`, or `null` for any other search, such as `field:a*`. */
function valuesIn(query: Query, field: Name): string[] | null {
  if (query.kind === 'or') {
    const [left, right] = [valuesIn(query.left, field), valuesIn(query.right, field)]
    return left === null || right === null ? null : [...left, ...right]
  }
  const isTerm = query.kind === 'field' || query.kind === 'attribute'
  if (!isTerm || nameIn(query) !== field || query.comparison !== '=') return null
  const value = String(query.value)
  return value.includes('*') && !query.literal ? null : [value]
}
