import type { Query, QueryField } from '../../../shared/query.ts'
import { operands } from './operands.ts'

/** Fields with few distinct values. The `event_counts` projection of ClickHouse contains their columns. */
const groupedFields: ReadonlySet<QueryField> = new Set([
  'severity',
  'service',
  'release',
  'source',
  'route',
  'status',
  'fingerprint',
  'failure',
])

/** Whether a search matches either all or none of the events for which these fields are equal. */
export function isGroupedQuery(query: Query): boolean {
  switch (query.kind) {
    case 'all':
      return true
    case 'and':
    case 'or':
      return operands(query, query.kind).every(isGroupedQuery)
    case 'not':
      return isGroupedQuery(query.query)
    case 'field':
    case 'exists':
    case 'between':
      return typeof query.field === 'string' && groupedFields.has(query.field)
    case 'text':
    case 'attribute':
      return false
  }
}
