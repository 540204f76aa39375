import { divideAtPeriods } from './divide-at-grains.ts'
import { type Buckets, grainUs, type TimesUs } from './times.ts'

export const minuteUs = 60_000_000
/** The number of minutes in a block. */
export const minutesPerGrain = grainUs / minuteUs

/** Divides time ranges into whole minutes that are in one bucket each, and the remaining times. */
export function divideAtMinutes(
  times: readonly TimesUs[],
  { fromUs, bucketUs }: Buckets,
): { whole: readonly TimesUs[]; others: readonly TimesUs[] } {
  const isAligned = fromUs % minuteUs === 0 && bucketUs % minuteUs === 0
  const isOneBucket = times.every(range => range.fromUs >= fromUs && range.toUs <= fromUs + bucketUs)
  return isAligned || isOneBucket ? divideAtPeriods(times, minuteUs) : { whole: [], others: times }
}
