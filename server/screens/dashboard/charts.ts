import type { Window } from '../../../shared/range.ts'
import type { DashboardContent } from '../../../shared/screens/dashboard.ts'
import { type Bucket, bucketsOf, linked } from '../../charts/buckets.ts'
import type { Marker } from '../../charts/markers.ts'
import { drawSeries } from '../../charts/series.ts'
import type { Series, SeriesChart } from '../../charts/series-chart.ts'
import type { RequestBucket, RequestCounts } from '../../store/event-store.ts'
import { type RequestOf, requestsOver } from './links.ts'

/** What the charts of the dashboard are drawn of. */
export type RequestHistory = {
  buckets: RequestBucket[]
  window: Window
  /** The period before; `null` where it is not compared with. */
  before: { buckets: RequestBucket[]; window: Window } | null
  markers: readonly Marker[]
  bucketMs: number
  clock: SeriesChart['clock']
  of: RequestOf
}

/** Rate, error ratio and latency over time; each bucket leads to its requests. */
export function requestCharts(history: RequestHistory): DashboardContent['charts'] {
  const { buckets, window, before, of, bucketMs } = history
  const times = timesOf(history)
  const linkedTo = (only: 'all' | 'errors') => {
    const hrefOf = requestsOver(of, only)
    return linked(times, bucket => hrefOf(within(bucket, window)))
  }
  const all = linkedTo('all')
  const durations = (percentile: 'p50Ms' | 'p95Ms' | 'p99Ms') => buckets.map(bucket => bucket[percentile])
  const earlier = (number: (bucket: RequestBucket, window: Window) => number | null) =>
    before?.buckets.map(bucket => number(bucket, before.window))
  const rate = (bucket: RequestBucket, window: Window) => rateOf(bucket, window, bucketMs)
  return [
    chart(history, all, 'rate', 'Request rate', 'requests per second', 'rate', [
      {
        name: 'requests',
        tone: 'accent',
        values: buckets.map(bucket => rate(bucket, window)),
        before: earlier(rate),
      },
    ]),
    chart(history, linkedTo('errors'), 'errors', 'Error ratio', 'share of 5xx responses', 'ratio', [
      { name: 'errors', tone: 'bad', values: buckets.map(errorRatio), before: earlier(errorRatio) },
    ]),
    chart(history, all, 'latency', 'Latency', 'duration of requests', 'duration', [
      { name: 'p50', tone: 'accent', values: durations('p50Ms') },
      { name: 'p95', tone: 'second', values: durations('p95Ms'), before: earlier(({ p95Ms }) => p95Ms) },
      { name: 'p99', tone: 'third', values: durations('p99Ms') },
    ]),
  ]
}

/** The buckets that all charts of one history share. */
export function timesOf(history: RequestHistory): Bucket[] {
  return bucketsOf(history, history.buckets.length)
}

function chart(
  { window, markers, bucketMs, clock }: RequestHistory,
  buckets: Bucket[],
  id: DashboardContent['charts'][number]['id'],
  title: string,
  unit: string,
  format: SeriesChart['format'],
  series: Series[],
): DashboardContent['charts'][number] {
  const name = `dashboard-${id}`
  const kind = id === 'rate' ? 'bar' : 'line'
  return {
    id,
    title,
    unit,
    chart: drawSeries({ name, title, unit, window, clock, bucketMs, series, format, kind, markers }, buckets),
  }
}

function errorRatio({ requests, errors }: RequestCounts): number | null {
  return requests > 0 ? errors / requests : null
}

/** Requests per second of the part of a bucket that has passed; none while that is too short to tell. */
function rateOf({ startMs, requests }: RequestBucket, window: Window, bucketMs: number): number | null {
  const passed = within({ fromMs: startMs, toMs: startMs + bucketMs }, window)
  const passedMs = passed.toMs - passed.fromMs
  return passedMs < bucketMs / 4 ? null : requests / (passedMs / 1000)
}

/** The last bucket reaches beyond its window. */
export function within(bucket: Window, { toMs }: Window): Window {
  return { fromMs: bucket.fromMs, toMs: Math.min(bucket.toMs, toMs) }
}
