import type { FailureRow } from '../failure.ts'
import type { Span, Window } from '../range.ts'
import type { Snippet } from './development.ts'

export type HomeContent = {
  span: Span
  /** What every figure is of. */
  window: Window
  verdict: Verdict
  /** The worst first. Of very many those that are fine or silent are left out, unless all were asked for. */
  services: ServiceRow[]
  areAllAsked: boolean
  /** How many are left out, by their state. */
  leftOut: { state: ServiceRow['state']; count: number }[]
  /** The newest open failures, at most ten. */
  failures: FailureRow[]
  /** How many others occurred. */
  otherFailures: { resolved: number; muted: number }
  /** Live feed of the occurrences of open failures since then. */
  newsHref: string
  /** No service but Sixpane itself has sent an event yet. */
  onlyOwn: boolean
  /** The first ways to connect a service; none once one is connected. */
  connect: Snippet[]
}

export type Verdict = {
  state: 'ok' | 'degraded' | 'failing' | 'empty'
  /** "2 of 5 services are failing: 14 failures in the last 15 minutes, up from 1". */
  sentence: string
  /** The search for what it counts, or `null` where it counts nothing. */
  search: string | null
}

export type ServiceRow = {
  service: string
  /** `failing`: it has failures in the window; `degraded`: answers of status 5xx; `silent`: no event in the window. */
  state: 'ok' | 'degraded' | 'failing' | 'silent'
  /** Requests per second, or `null` where it answered none. */
  requestRate: number | null
  /** Share of requests answered with 5xx, 0 to 1. */
  errorRatio: number | null
  p95Ms: number | null
  /** Occurrences of failures in the window. */
  failures: number
  /** Events per bucket, oldest first. */
  sparkline: number[]
  lastSeenMs: number
  release: string | null
}
