import type { Window } from '../../../shared/range.ts'
import type { DashboardContent } from '../../../shared/screens/dashboard.ts'
import { type Bucket, bucketsOf, linked } from '../../charts/buckets.ts'
import { drawSeries } from '../../charts/draw-series.ts'
import type { Marker } from '../../charts/markers.ts'
import type { Series, SeriesChart } from '../../charts/series-types.ts'
import type { RequestBucket, RequestCounts } from '../../store/event-store.ts'
import { type RequestTerms, requestsHrefForWindow } from './links.ts'

/** The data of the dashboard's charts. */
export type RequestHistory = {
  buckets: RequestBucket[]
  window: Window
  /** The previous period; `null` if it is not compared. */
  before: { buckets: RequestBucket[]; window: Window } | null
  markers: readonly Marker[]
  bucketMs: number
  clock: SeriesChart['clock']
  filter: RequestTerms
}

/** Request rate, error rate and latency over time. Each bucket links to its requests. */
export function requestCharts(history: RequestHistory): DashboardContent['charts'] {
  const { buckets, window, before, filter, bucketMs } = history
  const times = timesOf(history)
  const linkedTo = (only: 'all' | 'errors') => {
    const hrefOf = requestsHrefForWindow(filter, only)
    return linked(times, bucket => hrefOf(clipTo(bucket, window)))
  }
  const all = linkedTo('all')
  const durations = (percentile: 'p50Ms' | 'p95Ms' | 'p99Ms') => buckets.map(bucket => bucket[percentile])
  const previous = (number: (bucket: RequestBucket, window: Window) => number | null) =>
    before?.buckets.map(bucket => number(bucket, before.window))
  const rate = (bucket: RequestBucket, window: Window) => rateOf(bucket, window, bucketMs)
  return [
    chart(history, all, 'rate', 'Request rate', 'requests per second', 'rate', [
      {
        name: 'requests',
        tone: 'accent',
        values: buckets.map(bucket => rate(bucket, window)),
        before: previous(rate),
      },
    ]),
    chart(history, linkedTo('errors'), 'errors', 'Error rate', 'share of 5xx responses', 'ratio', [
      { name: 'errors', tone: 'bad', values: buckets.map(errorRatio), before: previous(errorRatio) },
    ]),
    chart(history, all, 'latency', 'Latency', 'duration of requests', 'duration', [
      { name: 'p50', tone: 'accent', values: durations('p50Ms') },
      { name: 'p95', tone: 'second', values: durations('p95Ms'), before: previous(({ p95Ms }) => p95Ms) },
      { name: 'p99', tone: 'third', values: durations('p99Ms') },
    ]),
  ]
}

/** The buckets that all charts share. */
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

/** Requests per second in the elapsed part of a bucket; `null` if that part is too short. */
function rateOf({ startMs, requests }: RequestBucket, window: Window, bucketMs: number): number | null {
  const elapsed = clipTo({ fromMs: startMs, toMs: startMs + bucketMs }, window)
  const elapsedMs = elapsed.toMs - elapsed.fromMs
  return elapsedMs < bucketMs / 4 ? null : requests / (elapsedMs / 1000)
}

/** Limits a bucket to the window, because the last bucket may end after it. */
export function clipTo(bucket: Window, { toMs }: Window): Window {
  return { fromMs: bucket.fromMs, toMs: Math.min(bucket.toMs, toMs) }
}
