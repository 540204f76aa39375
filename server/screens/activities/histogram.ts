import { formatDuration } from '../../../shared/format.ts'
import type { HtmlFragment } from '../../../shared/html-fragment.ts'
import { type Severity, severities, zeroCounts } from '../../../shared/severity.ts'
import { bucketsFor, drawSeries } from '../../charts/draw-series.ts'
import type { SeriesChart } from '../../charts/series-types.ts'
import { seriesTable } from '../../charts/table.ts'
import { bucketCount } from '../../store/buckets.ts'
import type { HistogramBucket } from '../../store/event-store.ts'

export function countsBySeverity(buckets: readonly HistogramBucket[]): Record<Severity, number> {
  const counts = zeroCounts()
  for (const bucket of buckets) {
    for (const severity of severities) counts[severity] += bucket.counts[severity]
  }
  return counts
}

/**
 * Draws the number of matching events over time, stacked by severity. The most severe events are at the bottom, where
 * heights are easiest to compare. Each bucket links to its time range. Severities without events are omitted.
 */
export function drawHistogram(
  buckets: readonly HistogramBucket[],
  histogram: Histogram,
): HtmlFragment | null {
  const chart = chartOf(buckets, histogram)
  return chart === null ? null : drawSeries(chart)
}

/** Returns the histogram values as a table. */
export function histogramTable(
  buckets: readonly HistogramBucket[],
  histogram: Histogram,
): HtmlFragment | null {
  const chart = chartOf(buckets, histogram)
  return chart === null ? null : seriesTable(chart, bucketsFor(chart))
}

type Histogram = Pick<SeriesChart, 'window' | 'bucketMs' | 'clock' | 'nowMs' | 'tableHref' | 'hrefFor'>

function chartOf(buckets: readonly HistogramBucket[], histogram: Histogram): SeriesChart | null {
  const { window, bucketMs } = histogram
  const totals = countsBySeverity(buckets)
  const length = bucketCount(window, bucketMs)
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
  return {
    ...histogram,
    name: 'activities-histogram',
    title: 'Events by severity',
    unit: `events per ${bucketMs < 60_000 ? `${bucketMs / 1000} s` : formatDuration(bucketMs)}`,
    format: 'count',
    kind: 'stacked',
    series,
  }
}
