import type { Window } from '../../../../shared/range.ts'
import { bucketCount } from '../../buckets.ts'
import { maxFailures } from '../list-limits.ts'
import type { EventReader } from './event-reader.ts'
import type { FailureIndex } from './failure-index.ts'
import { createLimitedMap } from './limited-map.ts'
import { bucketFinder, bucketsOf } from './times.ts'

/** The occurrences of a failure in a window. */
export type Occurrences = {
  /** The failure id. */
  id: string
  count: number
  newestUs: number
  /** The number of occurrences in each bucket, oldest first. */
  sparkline: number[]
}

export function noOccurrences(id: string, buckets: number): Occurrences {
  const sparkline = Array.from({ length: buckets }, () => 0)
  return { id, count: 0, newestUs: Number.NEGATIVE_INFINITY, sparkline }
}

/**
 * Counts the occurrences in a window, by failure id. Of more than `maxFailures` failures, omits some with the fewest
 * occurrences.
 */
export async function countOccurrences(
  { visitEvents }: Pick<EventReader, 'visitEvents'>,
  index: Pick<FailureIndex, 'failureIdOf'>,
  { window, bucketMs }: { window: Window; bucketMs: number },
  isIncluded: (group: { fingerprint: string; service: string }) => boolean,
): Promise<Map<string, Occurrences>> {
  const buckets = bucketCount(window, bucketMs)
  const bucketAt = bucketFinder(bucketsOf(window, bucketMs))
  const found = createLimitedMap(maxFailures, mostFrequentFirst)
  await visitEvents({ window, bucketMs, onlyFailures: true }, ({ fingerprint, service }) => {
    if (fingerprint === null || !isIncluded({ fingerprint, service })) return null
    const id = index.failureIdOf(fingerprint)
    const occurrencesOf = found.finder(id, () => noOccurrences(id, buckets))
    return (timeUs, count) => {
      const occurrences = occurrencesOf()
      const bucket = bucketAt(timeUs)
      occurrences.sparkline[bucket] = (occurrences.sparkline[bucket] ?? 0) + count
      occurrences.count += count
      occurrences.newestUs = Math.max(occurrences.newestUs, timeUs)
    }
  })
  return new Map(found.values().map(each => [each.id, each]))
}

function mostFrequentFirst(a: Occurrences, b: Occurrences): number {
  return b.count - a.count || b.newestUs - a.newestUs
}
