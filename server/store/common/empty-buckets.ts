import type { Window } from '../../../shared/range.ts'
import { zeroCounts } from '../../../shared/severity.ts'
import { bucketCount } from '../buckets.ts'
import type { HistogramBucket } from '../event-store.ts'

export function emptyBuckets(window: Window, bucketMs: number): HistogramBucket[] {
  return Array.from({ length: bucketCount(window, bucketMs) }, (_, index) => ({
    startMs: window.fromMs + index * bucketMs,
    counts: zeroCounts(),
  }))
}
