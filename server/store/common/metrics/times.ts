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
export function lengthUs({ fromUs, toUs }: TimesUs): number {
  return Math.max(toUs - fromUs, 1)
}

/** Returns a function that finds the index of a time's bucket, as `bucketOf` does in the engine. */
export function bucketFinder(
  { fromUs }: Pick<TimesUs, 'fromUs'>,
  bucketUs: number,
): (timeUs: number) => number {
  return timeUs => Math.floor((timeUs - fromUs) / bucketUs)
}

/** Buckets of equal length. `fromUs` is the start of the first one. */
export type Buckets = { fromUs: number; bucketUs: number }

/** Returns the times of the bucket that contains `timeUs`. */
export function bucketTimes({ fromUs, bucketUs }: Buckets, timeUs: number): TimesUs {
  const startUs = fromUs + Math.floor((timeUs - fromUs) / bucketUs) * bucketUs
  return { fromUs: startUs, toUs: startUs + bucketUs }
}

/** Contains no time. */
export const noTimes: TimesUs = { fromUs: Number.POSITIVE_INFINITY, toUs: Number.NEGATIVE_INFINITY }

/** @param bounds the times of the first and last events */
export function overlaps(bounds: { fromUs: number; toUs: number }, { fromUs, toUs }: TimesUs): boolean {
  return bounds.fromUs < toUs && bounds.toUs >= fromUs
}
