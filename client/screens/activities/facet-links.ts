import { paths } from '../../../shared/paths.ts'
import { quoted, withoutTerm, withTerm } from '../../../shared/query.ts'
import type { ActivitiesContent, Facet } from '../../../shared/screens/activities.ts'

type View = Pick<ActivitiesContent, 'q' | 'range' | 'urlColumns' | 'facets'>

/**
 * URL of the search that includes or excludes a value or, if `isActive`, of the search that no longer does. An expanded facet
 * stays expanded.
 */
export function facetHref(
  { q, range, urlColumns: columns, facets }: View,
  field: Facet['field'],
  value: string,
  exclude: boolean,
  isActive: boolean,
): string {
  const text = isActive
    ? withoutTerm(q, `${exclude ? '-' : ''}${field}:${quoted(value)}`)
    : withTerm(q, field, value, exclude)
  const expanded = facets.find(({ find }) => find !== null)
  return paths.activities({ q: text, range, columns, facet: expanded?.field })
}
