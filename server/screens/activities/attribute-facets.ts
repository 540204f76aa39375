import { type AttributeKey, columnKey, isAttributeKey } from '../../../shared/columns.ts'
import { formatCount, formatDateTime } from '../../../shared/format.ts'
import { paths } from '../../../shared/paths.ts'
import type { Clock } from '../../../shared/preferences.ts'
import { attributeField } from '../../../shared/query.ts'
import type { Facet, FacetValue } from '../../../shared/screens/activities.ts'
import { maxRowLength } from '../../store/common/cut.ts'
import { type AttributeCounts, maxCountedEvents } from './attribute-counts.ts'
import { expandedValuesLimit } from './facets.ts'
import { listValues } from './list-values.ts'
import type { View } from './log-view.ts'
import { contains, noteOnValues, type SearchedValues, searchValues } from './search-values.ts'
import { attributesIn, type Search } from './terms.ts'

/** Returns the facet of the attribute whose values were counted; an empty list if there is none. */
export function countedAttribute(
  counted: AttributeCounts | null,
  search: Search,
  view: View,
  clock: Clock,
): Facet[] {
  const { attribute: key, find } = view
  if (key === undefined || counted === null) return []
  const searched = searchValues(key, counted.values, find)
  const { values, total } = listValues(searched.values, expandedValuesLimit, key, search, () => null)
  const notes = [
    noteOnValues(searched, total, expandedValuesLimit) ?? noteOnNone(counted, searched),
    noteOnWindow(counted, view, clock),
  ].filter(note => note !== null)
  return [
    {
      ...attributeFacet(key),
      values: values.map(withoutLinkIfUnsearchable),
      href: hrefOf(view),
      expanded: true,
      action: 'Hide counts',
      ...(notes.length > 0 && { note: notes.join(' ') }),
    },
  ]
}

/**
 * Returns the facets of the other attributes that the search filters by or the log shows. Their values are not counted.
 * @param hasEvents if not, only attributes with values to undo are listed
 */
export function otherAttributes(search: Search, view: View, hasEvents: boolean): Facet[] {
  const keys = [...attributesIn(search.query), ...view.columns.map(columnKey).filter(isAttributeKey)]
  const others = new Set(keys.filter(key => key !== view.attribute && contains(key, view.find)))
  const facets = Array.from(others, key => ({
    ...attributeFacet(key),
    values: listValues([], 0, key, search, () => null).values,
    href: hrefOf(view, key),
    expanded: false,
    action: `Count ${key.slice(1)} values`,
  }))
  return facets.filter(({ values }) => hasEvents || values.length > 0)
}

function attributeFacet(key: AttributeKey) {
  const path = key.slice(1)
  return { field: key, label: path, term: attributeField(path) }
}

function hrefOf({ q, range, urlColumns: columns, find }: View, facet?: AttributeKey): string {
  return paths.activities({ q, range, columns, find, facet })
}

/**
 * Removes the link if no search finds only the events with this value: the store counts long values by the start of their
 * text, and text fields change line breaks.
 */
function withoutLinkIfUnsearchable(value: FacetValue): FacetValue {
  if (value.value.length >= maxRowLength) return { ...value, value: `${value.value}…`, hasNoLink: true }
  return value.state === 'none' && /[\r\n]/.test(value.value) ? { ...value, hasNoLink: true } : value
}

function noteOnNone(counted: AttributeCounts, { values }: SearchedValues): string | null {
  if (counted.values.length === 0) return 'No matching event has this attribute.'
  return values.length === 0 ? 'No matching values.' : null
}

function noteOnWindow({ window }: AttributeCounts, view: View, clock: Clock): string | null {
  if (window.fromMs === view.window.fromMs) return null
  const since = formatDateTime(window.fromMs, clock, 'minute')
  return `Counts only the newest ${formatCount(maxCountedEvents)} events, since ${since}.`
}
