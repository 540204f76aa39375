import type { Window } from '../../../shared/range.ts'

/** More than any chart has columns for. */
const maxBuckets = 10_000

/** @throws RangeError when the window has no bucket or too many */
export function bucketCount({ fromMs, toMs }: Window, bucketMs: number): number {
  const count = Math.ceil((toMs - fromMs) / bucketMs)
  if (!(bucketMs > 0 && count >= 0 && count <= maxBuckets)) {
    throw new RangeError(`A window has at most ${maxBuckets} buckets`)
  }
  return count
}
