import type { HtmlFragment } from '../html-fragment.ts'
import type { IgnoredCounts } from '../ignored.ts'
import type { Range, Window } from '../range.ts'
import type { RequestMetrics } from '../request-metrics.ts'
import type { VitalName, VitalRating } from '../vitals.ts'

export const dashboardCharts = ['rate', 'errors', 'latency', 'durations'] as const
export type DashboardChartId = (typeof dashboardCharts)[number]

/** The orders in which routes can be listed. */
export const routeSorts = ['slowest', 'failing', 'busiest'] as const
export type RouteSort = (typeof routeSorts)[number]

/** The maximum number of routes that the store returns. If there are more, it returns the busiest. */
export const maxRoutes = 1000

/** The whole dashboard, one chart with a table of its values, or the list of all routes. */
export type DashboardContent = DashboardOverview | DashboardTable | DashboardRoutes

/** The properties that all views have. */
export type DashboardSelection = {
  range: Range
  /** The time window that all numbers cover. A relative range starts at a bucket boundary. */
  window: Window
  service: string | null
  /** Whether the charts also show the previous period. */
  compare: boolean
  sort: RouteSort
  /** New releases in the window, newest first, as marked in the charts. */
  releases: { service: string; release: string; atMs: number }[]
}

export type DashboardChart = {
  id: DashboardChartId
  title: string
  unit: string
  chart: HtmlFragment
}

/** One chart and its values. */
export type DashboardTable = DashboardSelection & {
  view: 'table'
  chart: DashboardChart
  table: HtmlFragment
}

/** One page of all routes, ordered by `sort`. */
export type DashboardRoutes = Omit<DashboardSelection, 'releases'> & {
  view: 'routes'
  routes: RouteRow[]
  /** The number of the first route on the page, counted from 1. */
  first: number
  routeCount: number
  page: number
}

export type DashboardOverview = DashboardSelection & {
  view: 'overview'
  /** The worst services first. */
  services: { service: string; state: 'failing' | 'degraded' | 'ok' }[]
  now: RequestMetrics
  /** The metrics of the previous period; `null` if a comparison would be misleading. */
  before: RequestMetrics | null
  /** Whether all events of the previous period are stored. If not, it is not compared. */
  isBeforeStored: boolean
  /** Error rate, latency and request rate. */
  charts: DashboardChart[]
  /** Requests by time and duration. */
  heatMap: DashboardChart
  /** The number of new releases, including those that are not listed. */
  releaseCount: number
  /** The first twenty routes, ordered by `sort`. */
  routes: RouteRow[]
  /** Web Vitals of the twenty routes with the most measurements, in descending order. */
  vitals: {
    service: string
    route: string | null
    /** Contains only metrics that browsers reported. */
    metrics: {
      name: VitalName
      p75: number
      rating: VitalRating
      count: number
      /** p75 per bucket, oldest first. */
      sparkline: number[]
    }[]
  }[]
  /** The sessions of the releases with the most sessions. */
  sessions: { service: string; release: string | null; started: number; crashed: number }[]
  /** The number of routes with requests in the window, at most `maxRoutes`. */
  routeCount: number
  /** `null` for visitors who may not see Sixpane's own events. */
  self: SelfContent | null
}

/** Sixpane's own metrics. */
export type SelfContent = {
  process: {
    /** The 99th percentile since the previous reading. */
    eventLoopDelayMs: number
    heapUsedBytes: number
    rssBytes: number
    /** Share of one CPU core. */
    cpuRatio: number
    uptimeMs: number
  }
  /** Sixpane's recorded metrics per bucket of the window, oldest first. */
  recorded: { series: Partial<Record<RecordedMetric, (number | null)[] | undefined>>; eventsHref: string }
  ingest: {
    eventsPerSecond: number
    accepted: number
    rejected: number
    ignored: IgnoredCounts
    dropped: number
    diskBytes: number
    stored: number
    oldestMs: number | null
  }
}

export type RecordedMetric =
  | 'eventLoopDelayMs'
  | 'cpuRatio'
  | 'heapUsedBytes'
  | 'rssBytes'
  | 'accepted'
  | 'rejected'
  | 'ignored'
  | 'dropped'
  | 'diskBytes'
  | 'queryMs'

/** The page computes the rates from the counts and the window. */
export type RouteRow = Omit<RequestMetrics, 'rate' | 'errorRatio'> & {
  service: string
  method: string | null
  route: string | null
}
