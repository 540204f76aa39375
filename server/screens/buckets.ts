import { dayMs, halfHourMs, hourMs, minuteMs } from '../../shared/duration-units.ts'
import { type Range, resolveRange, type Window } from '../../shared/range.ts'

/** Bucket lengths. Those under a day divide the next larger unit, so that buckets can start at round times. */
const steps = [
  ...[1, 5, 15, 30].map(seconds => seconds * 1000),
  ...[1, 5, 10, 15, 30].map(minutes => minutes * minuteMs),
  ...[1, 3, 6, 12].map(hours => hours * hourMs),
  ...[1, 7, 30].map(days => days * dayMs),
]

/**
 * Returns the smallest round bucket length that divides the window into at most `maxBuckets` complete buckets, and an
 * incomplete one at the end. The window of a relative range, opened later as an absolute range, therefore keeps its buckets.
 */
export function bucketMsFor({ fromMs, toMs }: Window, maxBuckets = 60): number {
  const minMs = (toMs - fromMs) / (maxBuckets + 1)
  return steps.find(step => step >= minMs) ?? Math.ceil(minMs / dayMs) * dayMs
}

/**
 * Returns the time window of a range. A relative range ends at the current time and starts at a round time, so that its
 * first bucket is complete and all screens count the same events. It is therefore up to one bucket longer than its name
 * suggests. An absolute range is unchanged.
 */
export function windowOf(range: Range, nowMs: number): Window {
  const window = resolveRange(range, nowMs)
  if (!('span' in range)) return window
  const bucketMs = bucketMsFor(window)
  // From 12 hours on, a window consists of the half-hours that the stores summarise.
  const roundingMs = window.toMs - window.fromMs < 12 * hourMs ? bucketMs : Math.max(bucketMs, halfHourMs)
  return { fromMs: Math.floor(window.fromMs / roundingMs) * roundingMs, toMs: nowMs }
}

/** Returns the time window of a range, and the length of the at most `maxBuckets` complete buckets to divide it into. */
export function divideIntoBuckets(
  range: Range,
  nowMs: number,
  maxBuckets = 60,
): { window: Window; bucketMs: number } {
  return { window: windowOf(range, nowMs), bucketMs: bucketMsFor(resolveRange(range, nowMs), maxBuckets) }
}
