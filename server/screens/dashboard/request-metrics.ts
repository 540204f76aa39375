import type { RouteSort } from '../../../shared/paths.ts'
import type { Window } from '../../../shared/range.ts'
import type { RequestMetrics } from '../../../shared/request-metrics.ts'
import type { RouteRow } from '../../../shared/screens/dashboard.ts'
import type { RequestCounts, RouteCounts } from '../../store/event-store.ts'
import { requestsHref } from './links.ts'

/** What the store counted in a window, with the rates that follow from it. */
export function metricsOf(counts: RequestCounts, window: Window): RequestMetrics {
  const { requests, errors, p50Ms, p95Ms, p99Ms } = counts
  return {
    requests,
    errors,
    rate: requests / ((window.toMs - window.fromMs) / 1000),
    errorRatio: requests > 0 ? errors / requests : null,
    p50Ms,
    p95Ms,
    p99Ms,
  }
}

/** The routes in the order of `sort`, at most `limit`; equal ones as they came. */
export function routeRows(routes: RouteCounts[], sort: RouteSort, window: Window, limit: number): RouteRow[] {
  return routes
    .map(counts => ({ counts, weight: weights[sort](counts) }))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, limit)
    .map(({ counts }) => {
      const { service, method, route } = counts
      const whose = { service, method, route }
      return {
        ...metricsOf(counts, window),
        ...whose,
        eventsHref: requestsHref(whose, window),
        errorsHref: requestsHref(whose, window, 'errors'),
      }
    })
}

const weights: Readonly<Record<RouteSort, (row: RequestCounts) => number>> = {
  slowest: ({ p95Ms }) => p95Ms ?? 0,
  // The share and not the number: a route that always fails is worse than a busy one that seldom does.
  failing: ({ requests, errors }) => (requests > 0 ? errors / requests : 0),
  busiest: ({ requests }) => requests,
}
