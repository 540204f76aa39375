import type { Window } from '../../../../shared/range.ts'
import { microsOf } from '../time.ts'

/** The period of a block or cell. Most charts have buckets of half an hour or a multiple of half an hour. */
export const grainUs = 1_800_000_000

/** A time range; `fromUs` is inclusive, `toUs` exclusive. */
export type TimesUs = { fromUs: number; toUs: number }

export function timesOf({ fromMs, toMs }: Window): TimesUs {
  return { fromUs: microsOf(fromMs), toUs: microsOf(toMs) }
}

/** The length of a bucket that contains the whole window. Positive, even if the window is empty. */
function lengthUs({ fromUs, toUs }: TimesUs): number {
  return Math.max(toUs - fromUs, 1)
}

/** Buckets of equal length. `fromUs` is the start of the first one. */
export type Buckets = { fromUs: number; bucketUs: number }

/** Divides a window into buckets. @param bucketMs the length of a bucket; `null` if the window is one bucket */
export function bucketsOf(window: Window, bucketMs: number | null): Buckets {
  const times = timesOf(window)
  return { fromUs: times.fromUs, bucketUs: bucketMs === null ? lengthUs(times) : microsOf(bucketMs) }
}

/** Returns a function that finds the index of a time's bucket, as `bucketOf` does in the engine. */
export function bucketFinder({ fromUs, bucketUs }: Buckets): (timeUs: number) => number {
  return timeUs => Math.floor((timeUs - fromUs) / bucketUs)
}

/** Returns the times of the bucket that contains `timeUs`. */
export function bucketTimes(buckets: Buckets, timeUs: number): TimesUs {
  const { fromUs, bucketUs } = buckets
  const startUs = fromUs + bucketFinder(buckets)(timeUs) * bucketUs
  return { fromUs: startUs, toUs: startUs + bucketUs }
}

/** Contains no time. */
export const noTimes: TimesUs = { fromUs: Number.POSITIVE_INFINITY, toUs: Number.NEGATIVE_INFINITY }

export function isDuring(times: readonly TimesUs[], timeUs: number): boolean {
  for (const { fromUs, toUs } of times) if (timeUs >= fromUs && timeUs < toUs) return true
  return false
}

/** @param bounds the times of the first and last events */
export function overlaps(bounds: { fromUs: number; toUs: number }, { fromUs, toUs }: TimesUs): boolean {
  return bounds.fromUs < toUs && bounds.toUs >= fromUs
}
