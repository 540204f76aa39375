import type { Window } from '../../../shared/range.ts'
import { bucketCount } from '../buckets.ts'
import { microsOf } from './time.ts'

/** A measured value and when it was measured. */
export type Sample = { timeUs: number; value: number }

/** Divides the values of a window into buckets. */
export function valuesByBucket(samples: readonly Sample[], window: Window, bucketMs: number): number[][] {
  const buckets = Array.from({ length: bucketCount(window, bucketMs) }, (): number[] => [])
  for (const { timeUs, value } of samples) {
    buckets[Math.floor((timeUs - microsOf(window.fromMs)) / microsOf(bucketMs))]?.push(value)
  }
  return buckets
}
