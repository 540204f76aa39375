import type { LogEvent } from '../../../shared/event.ts'
import type { Window } from '../../../shared/range.ts'
import type { FacetCounts, FacetField, FacetValue, HistogramBucket } from '../event-store.ts'
import { emptyBuckets } from './empty-buckets.ts'
import { mergeCase } from './merge-case.ts'
import { bucketFinder, bucketsOf } from './metrics/times.ts'
import { microsOf } from './time.ts'

type CountedEvent = Pick<LogEvent, 'timeMs' | FacetField>

/** Counts events by severity and bucket, as `EventStore.histogram` does. */
export function histogramOf(
  events: readonly CountedEvent[],
  window: Window,
  bucketMs: number,
): HistogramBucket[] {
  const buckets = emptyBuckets(window, bucketMs)
  const bucketAt = bucketFinder(bucketsOf(window, bucketMs))
  for (const { timeMs, severity } of events) {
    const counts = buckets[bucketAt(microsOf(timeMs))]?.counts
    if (counts !== undefined) counts[severity] += 1
  }
  return buckets
}

/** Counts the values of each field, as `EventStore.facets` does. */
export function facetsOf(
  events: readonly CountedEvent[],
  fields: readonly FacetField[],
  limit: number,
): FacetCounts[] {
  return fields.map(field => ({ field, values: valuesOf(events, field).slice(0, limit) }))
}

function valuesOf(events: readonly CountedEvent[], field: FacetField): FacetValue[] {
  const values = events.map(event => event[field]).filter(value => value !== null)
  return mergeCase(values.map(value => ({ value: String(value), count: 1 })))
}
