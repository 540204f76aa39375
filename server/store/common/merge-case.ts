import type { FacetValue } from '../event-store.ts'
import { compareText } from './compare-text.ts'
import { compareValues } from './compare-values.ts'
import { lowerCase } from './lower-case.ts'

/**
 * Combines the counts of values that differ only in case, because a search finds them together. Returns the first spelling
 * in the order of texts, and the most frequent values first.
 * @param toLowerCase converts text as the engine's searches do
 */
export function mergeCase(
  values: readonly FacetValue[],
  toLowerCase: (text: string) => string = lowerCase,
): FacetValue[] {
  const merged = new Map<string, FacetValue>()
  for (const { value, count } of values) {
    const key = toLowerCase(value)
    const existing = merged.get(key)
    if (existing === undefined) merged.set(key, { value, count })
    else {
      existing.count += count
      if (compareText(value, existing.value) < 0) existing.value = value
    }
  }
  return [...merged.values()].sort(compareValues)
}
