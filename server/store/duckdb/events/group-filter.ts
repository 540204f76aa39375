import { failureStates } from '../../../../shared/failure.ts'
import type { Query } from '../../../../shared/query.ts'
import { lowerCase } from '../../common/lower-case.ts'
import type { EventGroup } from '../../common/metrics/event-block.ts'
import type { FailureIndex } from '../../common/metrics/failure-index.ts'
import { compare, matchingSeverities } from '../../common/severity-query.ts'

/** Whether the events of a group match a query. */
export type GroupFilter = (group: EventGroup) => boolean

type FieldQuery = Extract<Query, { kind: 'field' }>

/** Returns a filter, or `null` if the query needs more than the fields of groups. */
export function groupFilter(query: Query, index: FailureIndex): GroupFilter | null {
  switch (query.kind) {
    case 'all':
      return () => true
    case 'and':
    case 'or': {
      const [left, right] = [groupFilter(query.left, index), groupFilter(query.right, index)]
      if (left === null || right === null) return null
      return query.kind === 'and'
        ? group => left(group) && right(group)
        : group => left(group) || right(group)
    }
    case 'not': {
      const filter = groupFilter(query.query, index)
      return filter && (group => !filter(group))
    }
    case 'field':
      return fieldFilter(query, index)
    default:
      return null
  }
}

function fieldFilter(query: FieldQuery, index: FailureIndex): GroupFilter | null {
  const { field, comparison, value } = query
  switch (field) {
    case 'severity': {
      const severities = new Set(matchingSeverities(comparison, String(value)))
      return ({ severity }) => severities.has(severity)
    }
    case 'failure': {
      const state = failureStates.find(each => each === value)
      return state === undefined
        ? hasOneOf(index.fingerprintsOf(String(value)))
        : ({ fingerprint }) => fingerprint !== null && index.stateOf(fingerprint) === state
    }
    case 'status':
      return typeof value === 'number'
        ? ({ status }) => status !== null && compare(status, comparison, value)
        : null
    case 'service':
    case 'release':
    case 'source':
    case 'method':
    case 'route':
    case 'fingerprint':
      return textFilter(query, group => group[field])
    default:
      return null
  }
}

function hasOneOf(fingerprints: readonly string[]): GroupFilter | null {
  const filters = fingerprints.map(fingerprint =>
    textFilter({ comparison: '=', value: fingerprint, literal: true }, group => group.fingerprint),
  )
  const all = filters.filter(filter => filter !== null)
  return all.length < filters.length ? null : group => all.some(filter => filter(group))
}

const ascii = /^[\0-\x7f]*$/

/** Returns `null` for wildcards, and for text that the engine may convert to lower case differently. */
function textFilter(
  { comparison, value, literal }: Pick<FieldQuery, 'comparison' | 'value' | 'literal'>,
  textOf: (group: EventGroup) => string | null,
): GroupFilter | null {
  const text = String(value)
  if (comparison !== '=' || (literal !== true && text.includes('*')) || !ascii.test(text)) return null
  const lower = text.toLowerCase()
  // Results are cached, because thousands of groups have only a few distinct values.
  const results = new Map<string, boolean>()
  return group => {
    const groupText = textOf(group)
    if (groupText === null) return false
    const cached = results.get(groupText)
    if (cached !== undefined) return cached
    const isEqual = lowerCase(groupText) === lower
    results.set(groupText, isEqual)
    return isEqual
  }
}
