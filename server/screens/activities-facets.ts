import type { ActivitiesContent, Facet, FacetValue } from '../../shared/content.ts'
import { type Severity, severities } from '../../shared/event.ts'
import { quoted, withoutTerm, withTerm } from '../../shared/query.ts'
import type { FacetCounts } from '../store/store.ts'
import { type Search, severitiesOf, toggledSeverity, valuesAsked } from './activities-terms.ts'

const labels = {
  service: 'Service',
  route: 'Route',
  status: 'Status',
  release: 'Release',
  source: 'Source',
} as const

export const facetFields = ['service', 'route', 'status', 'release', 'source'] as const

/** The facets beside the log; values that the search leaves out stay in sight, so that they can be let in again. */
export function facetsOf(counts: FacetCounts[], search: Search, hrefFor: (q: string) => string): Facet[] {
  return facetFields.map(field => {
    const asked = valuesAsked(search.query, field)
    const found = counts.find(each => each.field === field)?.values ?? []
    const excluded = asked.excluded.map(value => ({ value, count: null }))
    const values = [...found, ...excluded].map(({ value, count }): FacetValue => {
      const state = asked.included.some(each => isSame(each, value))
        ? 'included'
        : count === null
          ? 'excluded'
          : 'none'
      return { value, count, state, ...toggles(search.q, field, value, state, hrefFor) }
    })
    return { field, label: labels[field], values }
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
