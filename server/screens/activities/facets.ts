import { type Severity, severities } from '../../../shared/event.ts'
import { paths } from '../../../shared/paths.ts'
import { quoted, withoutTerm, withTerm } from '../../../shared/query.ts'
import {
  type ActivitiesContent,
  type Facet,
  type FacetValue,
  facetNames,
} from '../../../shared/screens/activities.ts'
import type { FacetCounts, Filter } from '../../store/event-store.ts'
import type { Store } from '../../store/store.ts'
import type { View } from './log-view.ts'
import { type Search, severitiesOf, toggledSeverity, valuesAsked } from './terms.ts'

const labels = {
  service: 'Service',
  route: 'Route',
  status: 'Status',
  release: 'Release',
  source: 'Source',
} as const

/** Of each field the most frequent values alone. */
const valuesLimit = 8
/** Of the field whose values are looked through. */
const maxSearchedValues = 1000
const wideValuesLimit = 100

/** How often the values of each field are; of the field that shows all of its values those that hold what is searched for. */
export async function countFacets(
  filter: Filter,
  wide: View['facet'],
  store: Pick<Store, 'facets'>,
  signal: AbortSignal,
): Promise<FacetCounts[]> {
  const [narrow, all] = await Promise.all([
    store.facets(filter, facetNames, valuesLimit + 1, signal),
    wide === null ? null : store.facets(filter, [wide.field], maxSearchedValues, signal),
  ])
  if (wide === null || all === null) return narrow
  const found = (all[0]?.values ?? []).filter(({ value }) =>
    value.toLowerCase().includes(wide.find.toLowerCase()),
  )
  return narrow.map(counts =>
    counts.field === wide.field ? { ...counts, values: found.slice(0, wideValuesLimit) } : counts,
  )
}

/** The facets beside the log; values that the search leaves out stay in sight, so that they can be let in again. */
export function facetsOf(
  counts: FacetCounts[],
  search: Search,
  { q, range, urlColumns: columns, facet: wide }: View,
): Facet[] {
  const hrefFor = (text: string, facet = wide?.field) => paths.activities({ q: text, range, columns, facet })
  return facetNames.map(field => {
    const isWide = wide?.field === field
    const asked = valuesAsked(search.query, field)
    const all = counts.find(each => each.field === field)?.values ?? []
    const found = isWide ? all : all.slice(0, valuesLimit)
    const excluded = asked.excluded.map(value => ({ value, count: null }))
    const values = [...found, ...excluded].map(({ value, count }): FacetValue => {
      const state = asked.included.some(each => isSame(each, value))
        ? 'included'
        : count === null
          ? 'excluded'
          : 'none'
      return { value, count, state, ...toggles(search.q, field, value, state, hrefFor) }
    })
    return {
      field,
      label: labels[field],
      values,
      href: isWide
        ? paths.activities({ q, range, columns })
        : all.length > valuesLimit
          ? hrefFor(q, field)
          : null,
      find: isWide ? wide.find : null,
    }
  })
}

function toggles(
  q: string,
  field: string,
  value: string,
  state: FacetValue['state'],
  hrefFor: (q: string) => string,
) {
  const term = `${field}:${quoted(value)}`
  return {
    includeHref: hrefFor(state === 'included' ? withoutTerm(q, term) : withTerm(q, field, value)),
    excludeHref: hrefFor(state === 'excluded' ? withoutTerm(q, `-${term}`) : withTerm(q, field, value, true)),
  }
}

/** A chip for each severity; none is active where the search leaves all of them. */
export function severityChips(
  counts: Partial<Record<Severity, number>>,
  search: Search,
  hrefFor: (q: string) => string,
): ActivitiesContent['severities'] {
  const asked = severitiesOf(search.query)
  return severities.map(severity => ({
    severity,
    count: counts[severity] ?? 0,
    active: asked?.includes(severity) ?? false,
    href: hrefFor(toggledSeverity(search, severity)),
  }))
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}
