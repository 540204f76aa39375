import { type Severity, severities } from '../../../shared/event.ts'
import { fieldByName, type Query, withoutTerm, withTerm } from '../../../shared/query.ts'
import { searchWords } from '../../../shared/query-words.ts'

/** A search as the visitor typed it, and as it was understood. */
export type Search = { q: string; query: Query }

/** The search without what it says of severities; everything where it says nothing else. */
export function withoutSeverities(query: Query): Query {
  return dropped(query) ?? { kind: 'all' }
}

function dropped(query: Query): Query | null {
  if (query.kind === 'not') {
    const inner = dropped(query.query)
    return inner === null ? null : { kind: 'not', query: inner }
  }
  if (query.kind === 'and' || query.kind === 'or') {
    const left = dropped(query.left)
    const right = dropped(query.right)
    return left === null || right === null ? (left ?? right) : { kind: query.kind, left, right }
  }
  return query.kind === 'field' && query.field === 'severity' ? null : query
}

/** The severities that a search leaves, or `null` where it leaves all of them. */
export function severitiesOf(query: Query): Severity[] | null {
  const left = severities.filter(severity => mayMatch(query, severity) !== false)
  return left.length === severities.length ? null : left
}

/** Whether an event of this severity matches: `null` where that depends on the rest of the event. */
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
  const asked = severities.find(each => each === value)
  // A value with `*` names several, and is left to the store.
  if (asked === undefined) return null
  const distance = severities.indexOf(severity) - severities.indexOf(asked)
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

/** The search for one severity alone, or for all again where it is that one already. */
export function toggledSeverity({ q, query }: Search, severity: Severity): string {
  const asked = severitiesOf(query)
  const rest = termsOf(q)
    .filter(term => fieldByName(/^-?([^:]*):/.exec(term)?.[1] ?? '') === 'severity')
    .reduce(withoutTerm, q)
  return asked?.length === 1 && asked[0] === severity ? rest : withTerm(rest, 'severity', severity)
}

/** The terms of a search as they were typed, each with the dash before it. */
export function termsOf(q: string): string[] {
  const words = searchWords(q)
  return words.flatMap(({ kind, text }, index) => {
    if (kind !== 'term') return []
    return [words[index - 1]?.text === '-' ? `-${text}` : text]
  })
}

/** The values that every match has (`included`) or has not (`excluded`) in a field. */
export function valuesAsked(query: Query, field: string): { included: string[]; excluded: string[] } {
  if (query.kind === 'and') {
    const left = valuesAsked(query.left, field)
    const right = valuesAsked(query.right, field)
    return {
      included: [...left.included, ...right.included],
      excluded: [...left.excluded, ...right.excluded],
    }
  }
  if (query.kind === 'not') return { included: [], excluded: valueIn(query.query, field) }
  return { included: valueIn(query, field), excluded: [] }
}

function valueIn(query: Query, field: string): string[] {
  return query.kind === 'field' && query.field === field && query.comparison === '='
    ? [String(query.value)]
    : []
}
