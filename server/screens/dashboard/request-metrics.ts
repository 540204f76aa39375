import type { Window } from '../../../shared/range.ts'
import type { RequestMetrics } from '../../../shared/request-metrics.ts'
import type { RouteRow, RouteSort } from '../../../shared/screens/dashboard.ts'
import type { RequestCounts, RequestSeries, RouteCounts } from '../../store/event-store.ts'
import { roundForDisplay } from '../round-for-display.ts'

/** Adds rates to the request counts of a window. */
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

/**
 * Whether the previous period has requests in at least half as many buckets as the current period. If not, the service or
 * Sixpane probably did not run the whole time, and a comparison would be misleading.
 */
export function isComparable(now: RequestSeries, before: RequestSeries): boolean {
  return 2 * activeBuckets(before) >= activeBuckets(now)
}

function activeBuckets({ buckets }: RequestSeries): number {
  return buckets.filter(({ requests }) => requests > 0).length
}

/** Returns `limit` routes from the position `start`, sorted by `sort`. */
export function routeRows(routes: RouteCounts[], sort: RouteSort, start: number, limit: number): RouteRow[] {
  return routes
    .map(counts => ({ counts, weight: weights[sort](counts) }))
    .sort((a, b) => b.weight - a.weight)
    .slice(start, start + limit)
    .map(({ counts }) => {
      const { requests, errors, p50Ms, p95Ms, p99Ms, service, method, route } = counts
      return {
        requests,
        errors,
        p50Ms: roundForDisplay(p50Ms),
        p95Ms: roundForDisplay(p95Ms),
        p99Ms: roundForDisplay(p99Ms),
        service,
        method,
        route,
      }
    })
}

const weights: Readonly<Record<RouteSort, (row: RequestCounts) => number>> = {
  slowest: ({ p95Ms }) => p95Ms ?? 0,
  // Sorts by error rate: a route that always fails is worse than a busy one that rarely fails.
  failing: ({ requests, errors }) => (requests > 0 ? errors / requests : 0),
  busiest: ({ requests }) => requests,
}
