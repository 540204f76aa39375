import type { FacetValue } from '../event-store.ts'
import { compareValues } from './compare-values.ts'
import { number, type Row, text } from './rows.ts'

/** Reads the values of a facet, most frequent first. Omits the row of the events without a value. */
export function facetValues(rows: readonly Row[], limit: number): FacetValue[] {
  return rows
    .filter(({ value }) => value !== null)
    .map(({ value, count }) => ({ value: text(value), count: number(count) }))
    .sort(compareValues)
    .slice(0, limit)
}
