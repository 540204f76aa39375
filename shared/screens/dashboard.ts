import type { HtmlFragment } from '../html-fragment.ts'
import type { RouteSort } from '../paths.ts'
import type { Range, Window } from '../range.ts'
import type { RequestFigures } from '../request-metrics.ts'
import type { VitalName, VitalRating } from '../vitals.ts'

export type DashboardContent = {
  range: Range
  /** The time that all numbers cover; a relative range starts at a bucket boundary. */
  window: Window
  service: string | null
  services: string[]
  now: RequestFigures
  before: RequestFigures
  /** Links to all requests of the window, and to the failed ones. */
  eventsHref: string
  errorsHref: string
  /** Whether the charts show the previous period too. */
  compare: boolean
  charts: { id: 'rate' | 'errors' | 'latency'; title: string; unit: string; chart: HtmlFragment }[]
  /** Requests by time and duration. */
  heatMap: HtmlFragment
  /** New releases in the window, newest first; the charts mark them. */
  releases: { service: string; release: string; atMs: number; eventsHref: string }[]
  /** The number of new releases, including those not listed. */
  releaseCount: number
  sort: RouteSort
  /** The first twenty in the order of `sort`. */
  routes: RouteRow[]
  /** Web Vitals of the twenty busiest routes, busiest first. */
  vitals: {
    service: string
    route: string | null
    /** The reported metrics. */
    metrics: {
      name: VitalName
      p75: number
      rating: VitalRating
      count: number
      /** p75 per bucket, oldest first. */
      sparkline: number[]
      eventsHref: string
    }[]
  }[]
  /** The number of routes with requests in the window. */
  routeCount: number
  process: {
    /** p99 since the previous reading. */
    eventLoopDelayMs: number
    heapUsedBytes: number
    rssBytes: number
    /** Share of one core. */
    cpuRatio: number
    uptimeMs: number
  }
  /** The recorded self metrics per step of the window, oldest first. */
  recorded: { series: Partial<Record<RecordedFigure, (number | null)[] | undefined>>; eventsHref: string }
  ingest: {
    eventsPerSecond: number
    accepted: number
    refused: number
    passedOver: number
    dropped: number
    diskBytes: number
    kept: number
    oldestMs: number | null
  }
}

export type RecordedFigure =
  | 'eventLoopDelayMs'
  | 'cpuRatio'
  | 'heapUsedBytes'
  | 'rssBytes'
  | 'accepted'
  | 'refused'
  | 'passedOver'
  | 'dropped'
  | 'diskBytes'
  | 'questionMs'

export type RouteRow = RequestFigures & {
  service: string
  method: string | null
  route: string | null
  eventsHref: string
  errorsHref: string
}
