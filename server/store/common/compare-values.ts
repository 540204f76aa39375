import { severities } from '../../../shared/severity.ts'
import type { FacetValue } from '../event-store.ts'
import { compareText } from './compare-text.ts'

const ranks = new Map<string, number>(severities.map((severity, rank) => [severity, rank]))

/**
 * Orders the values of a field, most frequent first. Orders equally frequent severities by rank, and other values by text.
 */
export function compareValues(a: FacetValue, b: FacetValue): number {
  return (
    b.count - a.count ||
    (ranks.get(a.value) ?? 0) - (ranks.get(b.value) ?? 0) ||
    compareText(a.value, b.value)
  )
}
