import { paths } from '../../../shared/paths.ts'
import type { ActivitiesContent } from '../../../shared/screens/activities.ts'
import { withoutExclusion, withValueExcluded, withValueToggled } from '../../../shared/value-terms.ts'

type View = Pick<ActivitiesContent, 'q' | 'range' | 'urlColumns' | 'facets' | 'facetFind'>

/**
 * Returns the URL of the search with this value included or, if it is already included, without it.
 * @param name the field or attribute in the search language
 */
export function hrefOfToggled(view: View, name: string, value: string): string {
  return hrefOf(view, withValueToggled(view.q, name, value))
}

/** Returns the URL of the search with this value excluded or, if it is already excluded, without the exclusion. */
export function hrefOfExcluded(view: View, name: string, value: string, isExcluded: boolean): string {
  const { q } = view
  return hrefOf(view, (isExcluded ? withoutExclusion : withValueExcluded)(q, name, value))
}

/** An expanded facet stays expanded, and filtered facets stay filtered. */
function hrefOf({ range, urlColumns: columns, facets, facetFind: find }: View, q: string): string {
  const facet = facets.find(({ expanded }) => expanded)?.field
  return paths.activities({ q, range, columns, facet, find })
}
