import { completeColumnsOf } from '../../../shared/chart-plot.ts'
import { highestOf } from '../../../shared/chart-scale.ts'
import { type DashboardView, paths } from '../../../shared/paths.ts'
import type { Clock } from '../../../shared/preferences.ts'
import type { Window } from '../../../shared/range.ts'
import { type RequestTerms, searchFor } from '../../../shared/request-search.ts'
import type { DashboardChart, DashboardChartId, DashboardTable } from '../../../shared/screens/dashboard.ts'
import { type Bucket, bucketsOf, withLinks } from '../../charts/buckets.ts'
import { drawSeries } from '../../charts/draw-series.ts'
import type { Marker } from '../../charts/markers.ts'
import type { Series, SeriesChart } from '../../charts/series-types.ts'
import { seriesTable } from '../../charts/table.ts'
import type { RequestBucket, RequestCounts } from '../../store/event-store.ts'

/** Data for the dashboard charts. */
export type RequestHistory = {
  buckets: RequestBucket[]
  window: Window
  /** The previous period; `null` if it is not compared. */
  before: { buckets: RequestBucket[]; window: Window } | null
  markers: readonly Marker[]
  bucketMs: number
  nowMs: number
  clock: Clock
  filter: RequestTerms
  /** The current view, for links to the tables. */
  view: DashboardView
}

/** Draws error rate, latency and request rate over time. Each bucket links to its requests. */
export function requestCharts(history: RequestHistory, times: Bucket[]): DashboardChart[] {
  const { rate, errors, latency } = seriesOf(history)
  return [errors, latency, rate].map(definition => draw(definition, history, times))
}

/** Draws one chart, with its values as a table. */
export function requestTable(
  id: RequestChartId,
  history: RequestHistory,
  times: Bucket[],
): Pick<DashboardTable, 'chart' | 'table'> {
  const definition = seriesOf(history)[id]
  const search = searchOf(definition, history)
  const hrefOf = (bucket: Window) => search + paths.activitiesUrlParts.window(bucket)
  const table = seriesTable(chartOf(definition, history), withLinks(times, hrefOf))
  return { chart: draw(definition, history, times), table }
}

type RequestChartId = Exclude<DashboardChartId, 'durations'>

type ChartDefinition = Pick<SeriesChart, 'title' | 'unit' | 'format' | 'kind' | 'series' | 'moreIsWorse'> & {
  id: RequestChartId
  /** The requests that a bucket links to. */
  only: 'all' | 'errors'
}

function draw(definition: ChartDefinition, history: RequestHistory, times: Bucket[]): DashboardChart {
  const { id, title, unit } = definition
  return { id, title, unit, chart: drawSeries(chartOf(definition, history), times) }
}

/** Returns the first part of the URL that lists a bucket's requests. */
function searchOf({ only }: ChartDefinition, { filter }: RequestHistory): string {
  return paths.activitiesUrlParts.search(searchFor(filter, only))
}

function seriesOf({
  buckets,
  window,
  before,
  bucketMs,
  nowMs,
}: RequestHistory): Readonly<Record<RequestChartId, ChartDefinition>> {
  const durations = (percentile: 'p50Ms' | 'p95Ms' | 'p99Ms') => buckets.map(bucket => bucket[percentile])
  const previous = (number: (bucket: RequestBucket, window: Window) => number | null) =>
    before?.buckets.map(bucket => number(bucket, before.window))
  const perSecond = (bucket: RequestBucket, window: Window) => rateOf(bucket, window, bucketMs)
  const rates: Series = {
    name: 'requests',
    tone: 'accent',
    values: buckets.map(bucket => perSecond(bucket, window)),
    previousValues: previous(perSecond),
  }
  const times = { window, bucketMs, columns: buckets.length }
  const completeColumns = completeColumnsOf(times, nowMs)
  const rateUnit = rateUnitFor(
    highestOf({ ...times, completeColumns, kind: 'area', format: '/s', series: [rates] }),
  )
  const inUnit = (perSecond: number | null) => (perSecond === null ? null : perSecond * rateUnit.seconds)
  const requests: Series = {
    ...rates,
    values: rates.values.map(inUnit),
    previousValues: rates.previousValues?.map(inUnit),
  }
  const errors: Series = {
    name: 'errors',
    tone: 'bad',
    values: buckets.map(errorRatio),
    previousValues: previous(errorRatio),
  }
  const percentiles: Series[] = [
    { name: 'p50', tone: 'muted', values: durations('p50Ms') },
    {
      name: 'p95',
      tone: 'accent',
      values: durations('p95Ms'),
      previousValues: previous(({ p95Ms }) => p95Ms),
    },
    { name: 'p99', tone: 'strong', values: durations('p99Ms') },
  ]
  return {
    rate: {
      id: 'rate',
      title: 'Request rate',
      unit: `requests per ${rateUnit.name}`,
      format: rateUnit.format,
      kind: 'area',
      only: 'all',
      series: [requests],
    },
    errors: {
      id: 'errors',
      title: 'Error rate',
      unit: 'share of 5xx responses',
      format: 'ratio',
      kind: 'line',
      moreIsWorse: true,
      only: 'errors',
      series: [errors],
    },
    latency: {
      id: 'latency',
      title: 'Latency',
      unit: 'duration of requests',
      format: 'duration',
      kind: 'line',
      moreIsWorse: true,
      only: 'all',
      series: percentiles,
    },
  }
}

function chartOf(definition: ChartDefinition, history: RequestHistory): SeriesChart {
  const { id, only: _, ...chart } = definition
  const { window, markers, bucketMs, nowMs, clock, view } = history
  return {
    ...chart,
    ...{ window, markers, bucketMs, nowMs, clock },
    name: `dashboard-${id}`,
    eventsHref: searchOf(definition, history),
    tableHref: paths.dashboard({ ...view, table: id }),
  }
}

/** Returns the buckets that all charts share. */
export function timesOf(history: RequestHistory): Bucket[] {
  return bucketsOf(history, history.buckets.length)
}

/** Selects the unit in which the highest request rate on the chart has a short axis label. */
function rateUnitFor(highestPerSecond: number) {
  if (highestPerSecond >= 1) return { name: 'second', seconds: 1, format: '/s' } as const
  // Below one request per hour, a label such as `0.002/min` is wider than the axis.
  return highestPerSecond > 0 && highestPerSecond * 3600 < 1
    ? ({ name: 'day', seconds: 86_400, format: '/day' } as const)
    : ({ name: 'minute', seconds: 60, format: '/min' } as const)
}

function errorRatio({ requests, errors }: RequestCounts): number | null {
  return requests > 0 ? errors / requests : null
}

/** Returns the requests per second in the elapsed part of a bucket; `null` if that part is too short. */
function rateOf({ startMs, requests }: RequestBucket, window: Window, bucketMs: number): number | null {
  const elapsedMs = Math.min(bucketMs, window.toMs - startMs)
  return elapsedMs < bucketMs / 4 ? null : requests / (elapsedMs / 1000)
}
