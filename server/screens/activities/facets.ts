import type { EventRow } from '../../../shared/event.ts'
import { paths } from '../../../shared/paths.ts'
import type { Query } from '../../../shared/query.ts'
import { type ActivitiesContent, type Facet, facetNames } from '../../../shared/screens/activities.ts'
import { type Severity, severities } from '../../../shared/severity.ts'
import { withoutOwnEvents } from '../../query/own-events.ts'
import { facetsOf as facetsOfRows, histogramOf } from '../../store/common/count-rows.ts'
import { isGroupedQuery } from '../../store/common/grouped-query.ts'
import type { EventPage, FacetCounts, Filter } from '../../store/event-store.ts'
import type { Store } from '../../store/store.ts'
import { isSame, listValues } from './list-values.ts'
import type { View } from './log-view.ts'
import { maxLoadedValues, noteOnValues, type SearchedValues, searchValues } from './search-values.ts'
import {
  filteredValues,
  type Search,
  severitiesOf,
  severityToggle,
  withoutField,
  withoutSeverities,
} from './terms.ts'

const labels = {
  service: 'Service',
  route: 'Route',
  status: 'Status',
  release: 'Release',
  source: 'Source',
} as const

/** The number of values shown for each collapsed facet. */
const valuesLimit = 8
/** The number of values shown for the expanded facet. */
export const expandedValuesLimit = 100

type SearchedFacet = Pick<FacetCounts, 'field'> & SearchedValues

/**
 * Counts the events over time and the most frequent values of each field. If the search has conditions on the severity,
 * also counts the events by severity as if it had none.
 */
export function countEvents(
  filter: Filter,
  bucketMs: number,
  store: Pick<Store, 'counts'>,
  signal: AbortSignal,
): ReturnType<Store['counts']> {
  const { query } = filter
  const rest = severitiesOf(query) === null ? query : withoutSeverities(query)
  const wider = rest === query ? undefined : rest
  return store.counts({ ...filter, wider }, bucketMs, facetNames, valuesLimit + 1, signal)
}

/**
 * Like `countEvents`, but a search for text or ids waits for its first page. If the page contains all matching events, these
 * are counted, because finding them again would take as long as finding them the first time.
 * @param paging the page, which another query is loading
 */
export async function countFound(
  filter: Filter,
  bucketMs: number,
  paging: Promise<EventPage<EventRow>>,
  store: Pick<Store, 'counts'>,
  signal: AbortSignal,
): ReturnType<Store['counts']> {
  const { query, window } = filter
  if (isGroupedQuery(query) || severitiesOf(query) !== null)
    return countEvents(filter, bucketMs, store, signal)
  const { events, older, newer } = await paging
  if (older !== null || newer !== null) return countEvents(filter, bucketMs, store, signal)
  return {
    histogram: histogramOf(events, window, bucketMs),
    facets: facetsOfRows(events, facetNames, valuesLimit + 1),
    bySeverity: null,
  }
}

/**
 * Counts the values of facets that need more than the most frequent values of the matching events. If the search
 * includes values of a field, the field's other values stay in the list, counted as if the search did not filter by the
 * field. An expanded facet lists more values.
 */
export async function countSeparately(
  query: Query,
  { window, facet: expanded, find }: View,
  store: Pick<Store, 'facets'>,
  signal: AbortSignal,
): Promise<SearchedFacet[]> {
  const counted = await Promise.all(
    facetNames.map(async field => {
      const isChosen = filteredValues(query, field).included.length > 0
      const isSearched = field === expanded || find !== ''
      if (!isChosen && !isSearched) return []
      const filter = { window, query: withoutOwnEvents(isChosen ? withoutField(query, field) : query) }
      const limit = isSearched ? maxLoadedValues : valuesLimit + 1
      return store.facets(filter, [field], limit, signal)
    }),
  )
  return counted.flat().map(({ field, values }) => ({ field, ...searchValues(field, values, find) }))
}

/**
 * Returns the facets of the fields.
 * @param counts the most frequent values among the matching events
 * @param separate the result of `countSeparately`
 */
export function facetsOf(
  counts: FacetCounts[],
  separate: SearchedFacet[],
  search: Search,
  { q, range, urlColumns: columns, facet: expanded, find }: View,
): Facet[] {
  return facetNames.map(field => {
    const isExpanded = expanded === field
    const matching = counts.find(each => each.field === field)?.values ?? []
    const searched = separate.find(each => each.field === field)
    const limit = isExpanded ? expandedValuesLimit : valuesLimit
    const { values, total } = listValues(
      searched?.values ?? matching,
      limit,
      field,
      search,
      value => matching.find(each => isSame(each.value, value))?.count ?? 0,
    )
    const hasMore = total > limit
    const note = searched === undefined ? null : noteOnValues(searched, total, isExpanded ? limit : null)
    const view = { q, range, columns, find }
    const action = isExpanded
      ? 'Show only the most frequent'
      : `Show more ${labels[field].toLowerCase()} values`
    return {
      field,
      label: labels[field],
      values,
      href: isExpanded
        ? paths.activities(view)
        : hasMore
          ? paths.activities({ ...view, facet: field })
          : null,
      action: hasMore || note !== null || (isExpanded && values.length > 0) ? action : undefined,
      ...(note !== null && { note }),
      expanded: isExpanded,
    }
  })
}

/** Returns one chip per severity. None is active if the search does not filter by severity. */
export function severityChips(
  counts: Partial<Record<Severity, number>>,
  search: Search,
  hrefFor: (q: string) => string,
): ActivitiesContent['severities'] {
  const selected = severitiesOf(search.query)
  const toggle = severityToggle(search)
  return severities.map(severity => ({
    severity,
    count: counts[severity] ?? 0,
    active: selected?.includes(severity) ?? false,
    href: hrefFor(toggle(severity)),
  }))
}
