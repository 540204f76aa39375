import { ownService } from '../../shared/event.ts'
import { fieldEquals, type Query, type QueryField } from '../../shared/query.ts'

/** Fields that select events precisely. A search with one of them may target Sixpane's own events. */
const preciseFields: ReadonlySet<QueryField> = new Set([
  'source',
  'digest',
  'fingerprint',
  'failure',
  'request',
  'trace',
  'span',
])
/** Text that may be an id or a digest: one word with a digit. */
const idPattern = /^(?=\S*\d)[\w./+@-]{6,}$/

/**
 * Excludes Sixpane's own events from a search of the log, unless the search contains a term that may target them, such as
 * Sixpane's service, a source, a failure or an id. `source:*` therefore shows all events.
 */
export function withoutOwnEvents(query: Query): Query {
  if (mayTargetOwnEvents(query)) return query
  const others: Query = { kind: 'not', query: fieldEquals('service', ownService) }
  return query.kind === 'all' ? others : { kind: 'and', left: query, right: others }
}

/** Whether a term of the search may target Sixpane's own events. Negated terms do not. */
export function mayTargetOwnEvents(query: Query): boolean {
  switch (query.kind) {
    case 'and':
    case 'or':
      return mayTargetOwnEvents(query.left) || mayTargetOwnEvents(query.right)
    case 'text':
      return idPattern.test(query.text)
    case 'field':
      return preciseFields.has(query.field) || isOwnService(query)
    case 'exists':
      return typeof query.field === 'string' && preciseFields.has(query.field)
    default:
      return false
  }
}

function isOwnService({ field, value }: Extract<Query, { kind: 'field' }>): boolean {
  return field === 'service' && String(value).toLowerCase() === ownService
}
