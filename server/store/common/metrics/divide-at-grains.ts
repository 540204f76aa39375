import { grainUs, type TimesUs } from './times.ts'

/** The maximum number of remaining ranges. With more, the query would be slow. */
const maxParts = 100

/**
 * Divides a window into time ranges that consist of whole grains (periods of `grainUs`), and the remaining ranges, whose
 * events must be read. A grain that spans two buckets belongs to the remaining ranges.
 */
export function divideAtGrains(
  window: TimesUs,
  bucketUs: number,
): { whole: TimesUs[]; remaining: TimesUs[] } {
  const whole: TimesUs[] = []
  const remaining: TimesUs[] = []
  const addTo = (list: TimesUs[], fromUs: number, toUs: number) => {
    const last = list.at(-1)
    if (last?.toUs === fromUs) last.toUs = toUs
    else if (fromUs < toUs) list.push({ fromUs, toUs })
  }
  for (let fromUs = window.fromUs; fromUs < window.toUs; fromUs += bucketUs) {
    const toUs = Math.min(fromUs + bucketUs, window.toUs)
    const first = Math.ceil(fromUs / grainUs) * grainUs
    const last = Math.max(first, Math.floor(toUs / grainUs) * grainUs)
    if (first >= toUs || first === last) {
      addTo(remaining, fromUs, toUs)
    } else {
      addTo(remaining, fromUs, first)
      addTo(whole, first, last)
      addTo(remaining, last, toUs)
    }
  }
  return remaining.length > maxParts ? { whole: [], remaining: [window] } : { whole, remaining }
}

/** Divides times into those that consist of whole periods of this length, and the others. */
export function divideAtPeriods(
  times: readonly TimesUs[],
  lengthUs: number,
): { whole: TimesUs[]; others: TimesUs[] } {
  const whole: TimesUs[] = []
  const others: TimesUs[] = []
  for (const { fromUs, toUs } of times) {
    const first = Math.ceil(fromUs / lengthUs) * lengthUs
    const last = Math.floor(toUs / lengthUs) * lengthUs
    if (first < last) {
      whole.push({ fromUs: first, toUs: last })
      others.push({ fromUs, toUs: first }, { fromUs: last, toUs })
    } else others.push({ fromUs, toUs })
  }
  return { whole, others: others.filter(range => range.fromUs < range.toUs) }
}
