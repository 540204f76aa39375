import { type Range, resolveRange, type Window } from '../../shared/range.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** Steps that divide the next larger unit, so that buckets begin at round instants. */
const steps = [
  ...[1, 5, 15, 30].map(seconds => seconds * second),
  ...[1, 5, 10, 15, 30].map(minutes => minutes * minute),
  ...[1, 3, 6, 12].map(hours => hours * hour),
  ...[1, 7, 30].map(days => days * day),
]

/** The smallest round width, in milliseconds, that cuts the window into at most `most` buckets. */
export function bucketMsFor({ fromMs, toMs }: Window, most = 60): number {
  const least = (toMs - fromMs) / most
  return steps.find(step => step >= least) ?? Math.ceil(least / day) * day
}

/**
 * Cuts a range into buckets, none of which begins half drawn. A relative range begins at an edge and ends with
 * the present, inside of its last bucket: so it may be shorter than its name says, by less than a bucket, and the
 * same absolute window, asked again later, still holds the same events. An absolute range stays as it is.
 */
export function bucketed(range: Range, nowMs: number, most = 60): { window: Window; bucketMs: number } {
  const window = resolveRange(range, nowMs)
  const bucketMs = bucketMsFor(window, most)
  if (!('span' in range)) return { window, bucketMs }
  const edgeMs = Math.ceil(nowMs / bucketMs) * bucketMs
  return { window: { fromMs: window.fromMs + edgeMs - nowMs, toMs: nowMs }, bucketMs }
}
