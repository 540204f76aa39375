import { divideAtPeriods } from './divide-at-grains.ts'
import { type Buckets, grainUs, overlaps, type TimesUs } from './times.ts'

export const minuteUs = 60_000_000
/** The number of minutes in a block. */
export const minutesPerGrain = grainUs / minuteUs

/**
 * Divides the time ranges in which events of a chunk are needed into whole minutes that are in one bucket each, and the
 * remaining times. If a range ends after the newest event, the minute of this event counts as whole.
 * @param bounds the times of the chunk's first and last events
 */
export function divideAtMinutes(
  times: readonly TimesUs[],
  bounds: TimesUs,
  { fromUs, bucketUs }: Buckets,
): { whole: readonly TimesUs[]; others: readonly TimesUs[] } {
  const isAligned = fromUs % minuteUs === 0 && bucketUs % minuteUs === 0
  const isOneBucket = times.every(range => range.fromUs >= fromUs && range.toUs <= fromUs + bucketUs)
  if (!isAligned && !isOneBucket) return { whole: [], others: times }
  const minuteEndUs = (Math.floor(bounds.toUs / minuteUs) + 1) * minuteUs
  const extended = times
    .filter(range => overlaps(bounds, range))
    .map(range => ({ ...range, toUs: range.toUs > bounds.toUs ? minuteEndUs : range.toUs }))
  return divideAtPeriods(extended, minuteUs)
}
