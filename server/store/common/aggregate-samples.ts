import type { Window } from '../../../shared/range.ts'
import type { AttributeSeries } from '../event-store.ts'
import { type Sample, valuesByBucket } from './values-by-bucket.ts'

/** Aggregates the samples in each bucket of a window. A bucket without samples is `null`. */
export function aggregateSamples(
  samples: readonly Sample[],
  window: Window,
  bucketMs: number,
  aggregate: AttributeSeries['aggregate'],
): (number | null)[] {
  return valuesByBucket(samples, window, bucketMs).map(values => {
    if (values.length === 0) return null
    if (aggregate === 'highest') return Math.max(...values)
    const sum = values.reduce((total, value) => total + value, 0)
    return aggregate === 'sum' ? sum : sum / values.length
  })
}
