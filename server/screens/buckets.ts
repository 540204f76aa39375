import { dayMs, hourMs, minuteMs } from '../../shared/duration-units.ts'
import { type Range, resolveRange, type Window } from '../../shared/range.ts'

/** Bucket lengths. Those under a day divide the next larger unit, so that buckets can start at round times. */
const steps = [
  ...[1, 5, 15, 30].map(seconds => seconds * 1000),
  ...[1, 5, 10, 15, 30].map(minutes => minutes * minuteMs),
  ...[1, 3, 6, 12].map(hours => hours * hourMs),
  ...[1, 7, 30].map(days => days * dayMs),
]

/** Returns the smallest round bucket length that divides the window into at most `maxBuckets` buckets. */
export function bucketMsFor({ fromMs, toMs }: Window, maxBuckets = 60): number {
  const minMs = (toMs - fromMs) / maxBuckets
  return steps.find(step => step >= minMs) ?? Math.ceil(minMs / dayMs) * dayMs
}

/**
 * Divides a range into buckets. A relative range ends at the current time and starts at a bucket boundary, so that its first
 * bucket is complete. It may therefore be up to one bucket shorter than its name suggests. An absolute range is unchanged.
 */
export function divideIntoBuckets(
  range: Range,
  nowMs: number,
  maxBuckets = 60,
): { window: Window; bucketMs: number } {
  const window = resolveRange(range, nowMs)
  const bucketMs = bucketMsFor(window, maxBuckets)
  if (!('span' in range)) return { window, bucketMs }
  const edgeMs = Math.ceil(nowMs / bucketMs) * bucketMs
  return { window: { fromMs: window.fromMs + edgeMs - nowMs, toMs: nowMs }, bucketMs }
}
