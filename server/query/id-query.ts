import type { IdSearch } from '../../shared/id-search.ts'
import { fieldEquals, type Query } from '../../shared/query.ts'

/** Returns the query of a search for all events of a trace or request. */
export function idQuery({ by, id, service }: IdSearch): Query {
  const query = fieldEquals(by, id)
  if (service === null) return query
  return { kind: 'and', left: query, right: fieldEquals('service', service) }
}
