import type { Markup } from '../markup.ts'
import type { RouteSort } from '../paths.ts'
import type { Range, Window } from '../range.ts'
import type { RequestFigures } from '../request-metrics.ts'
import type { VitalName, VitalRating } from '../vitals.ts'

export type DashboardContent = {
  range: Range
  /** What every figure is of; a relative range begins at the edge of a bucket. */
  window: Window
  service: string | null
  services: string[]
  now: RequestFigures
  before: RequestFigures
  /** The requests of the window, and those of them that failed. */
  eventsHref: string
  errorsHref: string
  /** The charts show the period before too. */
  compare: boolean
  charts: { id: 'rate' | 'errors' | 'latency'; title: string; unit: string; chart: Markup }[]
  /** How many requests took how long, when. */
  heatMap: Markup
  /** Releases that began in the window, newest first: those that the charts mark. */
  releases: { service: string; release: string; atMs: number; eventsHref: string }[]
  /** All that began. */
  releaseCount: number
  sort: RouteSort
  /** The first twenty in the order of `sort`. */
  routes: RouteRow[]
  /** How pages felt in browsers: of the twenty busiest routes, busiest first. */
  vitals: {
    service: string
    route: string | null
    /** Those that browsers told of. */
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
  /** Routes with a request in the window. */
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
  /** What Sixpane wrote down of itself each minute, per step of the window, oldest first. */
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
