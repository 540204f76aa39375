import type { ListedFailure } from '../failure.ts'
import type { Span, Window } from '../range.ts'
import type { Snippet } from './development.ts'

export type HomeContent = {
  span: Span
  /** The time window that all numbers cover. */
  window: Window
  verdict: Verdict
  /**
   * Worst first. If there are many services, only the worst are listed, unless a page of all services was requested.
   */
  services: ServiceRow[]
  /** The position in the list of all services; `null` unless a page of it was requested. */
  page: ServicesPage | null
  /**
   * Whether the visitor asked to list Sixpane itself; `null` if that makes no difference, because Sixpane is always
   * listed or has no events.
   */
  ownEvents: 'shown' | 'hidden' | null
  /** The number of omitted services by state; empty if a page of all services was requested. */
  omitted: { state: ServiceRow['state']; count: number }[]
  /** The newest open failures, at most ten. */
  failures: ListedFailure[]
  /** The numbers of resolved and muted failures that occurred in the window. */
  otherFailures: { resolved: number; muted: number }
  /** Whether all events came from Sixpane itself; false for users who may see only some services. */
  onlyOwn: boolean
  /** How to connect the first service; empty once a service is connected. */
  connect: Snippet[]
}

/** One page of the list of all services. */
export type ServicesPage = {
  /** Starts at 1. */
  number: number
  /** The number of pages. */
  count: number
  /** The position of the first listed service, starting at 1. */
  first: number
  /** The total number of services. */
  total: number
}

export type Verdict = {
  state: 'ok' | 'degraded' | 'failing' | 'empty'
  /** "2 of 5 services are failing, 1 degraded: 3 failures occurred 14 times in the last 15 minutes, up from 1". */
  sentence: string
  /** The search for the counted events; `null` if there are none. */
  search: string | null
}

export type ServiceRow = {
  service: string
  /** The state in the window (`serviceStateOf`). A `silent` service has no events in the window. */
  state: 'ok' | 'degraded' | 'failing' | 'silent'
  /** Requests per second; `null` without requests. */
  requestRate: number | null
  /** Share of requests with a 5xx response, from 0 to 1. */
  errorRatio: number | null
  p95Ms: number | null
  /** Occurrences of open failures in the window. */
  failures: number
  /** Events per bucket, oldest first. */
  sparkline: number[]
  lastSeenMs: number
  release: string | null
}
