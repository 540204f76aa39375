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

/**
 * Returns a function that finds the value of a time's bucket. Remembers the last bucket, because an event is usually in the
 * same bucket as the event before it.
 * @param valueIn returns the value of a bucket, which must not change
 */
export function bucketValueFinder<Value>(
  { fromUs }: Pick<TimesUs, 'fromUs'>,
  bucketUs: number,
  valueIn: (bucket: number) => Value,
): (timeUs: number) => Value {
  const bucketAt = bucketFinder({ fromUs }, bucketUs)
  let last: (TimesUs & { value: Value }) | undefined
  return timeUs => {
    if (last === undefined || timeUs < last.fromUs || timeUs >= last.toUs) {
      const bucket = bucketAt(timeUs)
      const startUs = fromUs + bucket * bucketUs
      last = { fromUs: startUs, toUs: startUs + bucketUs, value: valueIn(bucket) }
    }
    return last.value
  }
}

/** @param bounds the times of the first and last events */
export function overlaps(bounds: { fromUs: number; toUs: number }, { fromUs, toUs }: TimesUs): boolean {
  return bounds.fromUs < toUs && bounds.toUs >= fromUs
}
