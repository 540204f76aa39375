import type { FacetName, FacetValue } from '../../../shared/screens/activities.ts'
import type { FacetCounts } from '../../store/event-store.ts'
import { filteredValues, type Search } from './terms.ts'

/**
 * Lists the most frequent values of a field or attribute, then the other values that the search includes or excludes, so
 * that the visitor can undo the choice. `total` is the number of counted values that the search does not exclude.
 * @param counted the values, most frequent first
 * @param countOf returns the count of an included value that is not among the most frequent ones
 */
export function listValues(
  counted: FacetCounts['values'],
  limit: number,
  name: FacetName,
  { query }: Search,
  countOf: (value: string) => number | null,
): { values: FacetValue[]; total: number } {
  const filtered = filteredValues(query, name)
  const [included, excluded] = [byLowerCase(filtered.included), byLowerCase(filtered.excluded)]
  const isExcluded = (value: string) => excluded.has(value.toLowerCase())
  const all = counted.filter(({ value }) => !isExcluded(value))
  const shown = all.slice(0, limit)
  const isShown = (value: string) => shown.some(each => isSame(each.value, value))
  const stateOf = (value: string) => (included.has(value.toLowerCase()) ? 'included' : 'none')
  const values: FacetValue[] = [
    ...shown.map(({ value, count }) => ({ value, count, state: stateOf(value) }) as const),
    ...[...included.values()]
      .filter(value => !isShown(value) && !isExcluded(value))
      .map(value => ({ value, count: countOf(value), state: 'included' as const })),
    ...[...excluded.values()].map(value => ({ value, count: null, state: 'excluded' as const })),
  ]
  return { values, total: all.length }
}

export function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

function byLowerCase(values: readonly string[]): ReadonlyMap<string, string> {
  return new Map(values.map(value => [value.toLowerCase(), value]))
}
