import type { Query } from '../../../shared/query.ts'
import type { Window } from '../../../shared/range.ts'
import { severities } from '../../../shared/severity.ts'
import type { FacetCounts, FacetField, FacetValue, Filter } from '../event-store.ts'

/**
 * Counts the events that match a search, by severity.
 * @returns `null` if there is no search
 */
export async function countBySeverity(
  window: Window,
  query: Query | undefined,
  facets: (filter: Filter, fields: readonly FacetField[], limit: number) => Promise<FacetCounts[]>,
): Promise<FacetValue[] | null> {
  if (query === undefined) return null
  const [severity] = await facets({ window, query }, ['severity'], severities.length)
  return severity?.values ?? []
}
