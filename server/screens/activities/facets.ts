import { paths } from '../../../shared/paths.ts'
import {
  type ActivitiesContent,
  type Facet,
  type FacetValue,
  facetNames,
} from '../../../shared/screens/activities.ts'
import { type Severity, severities } from '../../../shared/severity.ts'
import type { FacetCounts, Filter } from '../../store/event-store.ts'
import type { Store } from '../../store/store.ts'
import type { View } from './log-view.ts'
import { filteredValues, type Search, severitiesOf, toggledSeverity } from './terms.ts'

const labels = {
  service: 'Service',
  route: 'Route',
  status: 'Status',
  release: 'Release',
  source: 'Source',
} as const

/** The number of values shown for each collapsed facet. */
const valuesLimit = 8
/** The numbers of values to search and to show for the expanded facet. */
const maxSearchedValues = 1000
const expandedValuesLimit = 100

/** Counts the events over time and the most frequent values of each field. */
export function countEvents(
  filter: Filter,
  bucketMs: number,
  store: Pick<Store, 'counts'>,
  signal: AbortSignal,
): ReturnType<Store['counts']> {
  return store.counts(filter, bucketMs, facetNames, valuesLimit + 1, signal)
}

/** Counts all values of the expanded facet that match its search. Returns `null` if none is expanded. */
export async function countExpanded(
  filter: Filter,
  expanded: View['facet'],
  store: Pick<Store, 'facets'>,
  signal: AbortSignal,
): Promise<FacetCounts | null> {
  if (expanded === null) return null
  const [all] = await store.facets(filter, [expanded.field], maxSearchedValues, signal)
  const matching = (all?.values ?? []).filter(({ value }) =>
    value.toLowerCase().includes(expanded.find.toLowerCase()),
  )
  return { field: expanded.field, values: matching.slice(0, expandedValuesLimit) }
}

/** Returns the log facets. Excluded values stay in the list, so the visitor can include them again. */
export function facetsOf(
  counts: FacetCounts[],
  search: Search,
  { q, range, urlColumns: columns, facet: expanded }: View,
): Facet[] {
  return facetNames.map(field => {
    const isExpanded = expanded?.field === field
    const filtered = filteredValues(search.query, field)
    const all = counts.find(each => each.field === field)?.values ?? []
    const shown = isExpanded ? all : all.slice(0, valuesLimit)
    const excluded = filtered.excluded.map(value => ({ value, count: null }))
    const values = [...shown, ...excluded].map(({ value, count }): FacetValue => {
      const state = filtered.included.some(each => isSame(each, value))
        ? 'included'
        : count === null
          ? 'excluded'
          : 'none'
      return { value, count, state }
    })
    return {
      field,
      label: labels[field],
      values,
      href: isExpanded
        ? paths.activities({ q, range, columns })
        : all.length > valuesLimit
          ? paths.activities({ q, range, columns, facet: field })
          : null,
      find: isExpanded ? expanded.find : null,
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
  return severities.map(severity => ({
    severity,
    count: counts[severity] ?? 0,
    active: selected?.includes(severity) ?? false,
    href: hrefFor(toggledSeverity(search, severity)),
  }))
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}
