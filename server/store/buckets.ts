import type { Window } from '../../shared/range.ts'

/** More than any chart needs. */
const maxBuckets = 10_000

/**
 * The number of buckets that cover the window; the last one may end after it.
 * @throws RangeError if the bucket length is not positive, or there are too many buckets
 */
export function bucketCount({ fromMs, toMs }: Window, bucketMs: number): number {
  const count = Math.ceil((toMs - fromMs) / bucketMs)
  if (!(bucketMs > 0 && count >= 0 && count <= maxBuckets)) {
    throw new RangeError(`A window cannot have more than ${maxBuckets} buckets`)
  }
  return count
}
