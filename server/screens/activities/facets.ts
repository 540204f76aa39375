import { columnKey, isAttributeKey } from '../../../shared/columns.ts'
import { paths } from '../../../shared/paths.ts'
import type { Query } from '../../../shared/query.ts'
import {
  type ActivitiesContent,
  type Facet,
  type FacetName,
  type FacetValue,
  facetNames,
} from '../../../shared/screens/activities.ts'
import { type Severity, severities } from '../../../shared/severity.ts'
import { withoutOwnEvents } from '../../query/own-events.ts'
import { maxRowLength } from '../../store/common/cut.ts'
import type { FacetCounts, Filter } from '../../store/event-store.ts'
import type { Store } from '../../store/store.ts'
import type { View } from './log-view.ts'
import {
  attributesIn,
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
/** The maximum number of values to load for an expanded or filtered facet. */
const maxSearchedValues = 1000
/** The number of values shown for the expanded facet. */
const expandedValuesLimit = 100

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

type Counts = { field: string; values: FacetCounts['values'] }

/**
 * Counts the values of facets that need more than the most frequent values of the matching events. If the search
 * includes values of a field, the field's other values stay in the list, counted as if the search did not filter by the
 * field. An expanded facet lists more values. A filter hides values that do not contain the filter text, unless the field
 * name contains the text. The values of an attribute are counted only if its facet is expanded.
 */
export async function countSeparately(
  query: Query,
  { window, facet: expanded, urlFacet, find }: View,
  store: Pick<Store, 'facets' | 'attributeFacet'>,
  signal: AbortSignal,
): Promise<Counts[]> {
  const names: readonly FacetName[] = urlFacet === undefined ? facetNames : [...facetNames, urlFacet]
  const counted = await Promise.all(
    names.map(async field => {
      const isChosen = filteredValues(query, field).included.length > 0
      const isSearched = field === expanded || find !== ''
      if (!isChosen && !isSearched) return []
      const filter = { window, query: withoutOwnEvents(isChosen ? withoutField(query, field) : query) }
      const limit = isSearched ? maxSearchedValues : valuesLimit + 1
      if (!isAttributeKey(field)) return store.facets(filter, [field], limit, signal)
      return [{ field, values: await store.attributeFacet(filter, field.slice(1), limit, signal) }]
    }),
  )
  return counted.flat().map(({ field, values }) => ({
    field,
    values: values
      .filter(({ value }) => isFound(value, find) || isFound(field, find))
      .slice(0, field === expanded ? expandedValuesLimit : valuesLimit + 1),
  }))
}

/**
 * Returns the log facets: the expanded one if it is an attribute, the fields, then the other attributes that the search
 * filters by or the log shows. Included and excluded values stay in the list, so that the visitor can undo the choice.
 * @param counts the most frequent values among the matching events
 * @param separate the result of `countSeparately`
 */
export function facetsOf(counts: Counts[], separate: Counts[], search: Search, view: View): Facet[] {
  const { urlFacet, columns, find } = view
  const others = [...attributesIn(search.query), ...columns.map(columnKey).filter(isAttributeKey)]
  const names = new Set([
    ...(urlFacet === undefined ? [] : [urlFacet]),
    ...facetNames,
    ...others.filter(key => isFound(key, find)),
  ])
  return Array.from(names, field => facetOf(field, counts, separate, search, view))
}

function facetOf(
  field: FacetName,
  counts: Counts[],
  separate: Counts[],
  search: Search,
  { q, range, urlColumns: columns, facet: expanded, find }: View,
): Facet {
  const isExpanded = expanded === field
  const isAttribute = isAttributeKey(field)
  const filtered = filteredValues(search.query, field)
  const [included, excluded] = [byLowerCase(filtered.included), byLowerCase(filtered.excluded)]
  const isExcluded = (value: string) => excluded.has(value.toLowerCase())
  const matching = valuesOf(counts, field) ?? []
  const all = (valuesOf(separate, field) ?? matching).filter(({ value }) => !isExcluded(value))
  const shown = isExpanded ? all : all.slice(0, valuesLimit)
  const isShown = (value: string) => shown.some(each => isSame(each.value, value))
  const stateOf = (value: string) => (included.has(value.toLowerCase()) ? 'included' : 'none')
  const values: FacetValue[] = [
    ...shown.map(
      ({ value, count }): FacetValue => ({
        value,
        count,
        state: stateOf(value),
        ...(isAttribute && value.length >= maxRowLength ? { isCut: true } : {}),
      }),
    ),
    ...[...included.values()]
      .filter(value => !isShown(value) && !isExcluded(value))
      .map(value => ({
        value,
        count: matching.find(each => isSame(each.value, value))?.count ?? (isAttribute ? null : 0),
        state: 'included' as const,
      })),
    ...[...excluded.values()].map(value => ({ value, count: null, state: 'excluded' as const })),
  ]
  const view = { q, range, columns, find }
  return {
    field,
    label: isAttribute ? field.slice(1) : labels[field],
    values,
    href: isExpanded
      ? paths.activities(view)
      : isAttribute || all.length > valuesLimit
        ? paths.activities({ ...view, facet: field })
        : null,
    expanded: isExpanded,
  }
}

function valuesOf(counts: Counts[], field: FacetName): Counts['values'] | undefined {
  return counts.find(each => each.field === field)?.values
}

function isFound(text: string, find: string): boolean {
  return text.toLowerCase().includes(find.toLowerCase())
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

function byLowerCase(values: readonly string[]): ReadonlyMap<string, string> {
  return new Map(values.map(value => [value.toLowerCase(), value]))
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}
