import { type Severity, severities } from '../../shared/event.ts'
import { formatDuration } from '../../shared/format.ts'
import type { Markup } from '../../shared/markup.ts'
import type { Preferences } from '../../shared/preferences.ts'
import type { Window } from '../../shared/range.ts'
import { drawSeries } from '../charts/series.ts'
import type { HistogramBucket } from '../store/store.ts'

const mostBuckets = 60
const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
const bucketLengthsMs = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map(seconds => seconds * second),
  ...[1, 2, 5, 10, 15, 30].map(minutes => minutes * minute),
  ...[1, 2, 3, 6, 12].map(hours => hours * hour),
  ...[1, 2, 7, 14, 30, 90, 365].map(days => days * day),
]

/** The length of a bucket: a round one, so that a window has 60 of them at most. */
export function bucketMsOf({ fromMs, toMs }: Window): number {
  const leastMs = (toMs - fromMs) / mostBuckets
  return bucketLengthsMs.find(ms => ms >= leastMs) ?? Math.ceil(leastMs / (365 * day)) * 365 * day
}

export function countsBySeverity(buckets: readonly HistogramBucket[]): Record<Severity, number> {
  const counts = { trace: 0, debug: 0, info: 0, warn: 0, error: 0, fatal: 0 }
  for (const bucket of buckets) {
    for (const severity of severities) counts[severity] += bucket.counts[severity]
  }
  return counts
}

/**
 * Draws how many events matched over time, stacked by severity with the worst at the bottom, where their heights
 * can be compared; each bucket is a link to its time. Severities that nothing matched are left out.
 */
export function drawHistogram(
  buckets: readonly HistogramBucket[],
  chart: { window: Window; bucketMs: number; clock: Preferences; hrefFor: (bucket: Window) => string },
): Markup | null {
  const { window, bucketMs } = chart
  const totals = countsBySeverity(buckets)
  const length = Math.ceil((window.toMs - window.fromMs) / bucketMs)
  const series = severities
    .filter(severity => totals[severity] > 0)
    .reverse()
    .map(severity => {
      const values: number[] = Array.from({ length }, () => 0)
      for (const { startMs, counts } of buckets) {
        const index = Math.round((startMs - window.fromMs) / bucketMs)
        if (index >= 0 && index < length) values[index] = counts[severity]
      }
      return { name: severity, tone: severity, values }
    })
  if (series.length === 0) return null
  return drawSeries({
    ...chart,
    name: 'activities-histogram',
    title: 'Events by severity',
    unit: `events per ${formatDuration(bucketMs)}`,
    format: 'count',
    kind: 'stacked',
    series,
  })
}
