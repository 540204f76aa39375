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
 * Whether the previous period has requests in at least half as many buckets as the current period, and from the start on. If
 * not, the service or Sixpane probably did not run the whole time, or the events were deleted, and a comparison would be
 * misleading. One bucket may be missing at the start, because rare requests do not begin in the same bucket.
 */
export function isComparable(now: RequestSeries, before: RequestSeries): boolean {
  const first = before.buckets.findIndex(hasRequests)
  const missing = now.buckets.slice(0, Math.max(first, 0)).filter(hasRequests).length
  return missing <= 1 && 2 * activeBuckets(before) >= activeBuckets(now)
}

function activeBuckets({ buckets }: RequestSeries): number {
  return buckets.filter(hasRequests).length
}

function hasRequests({ requests }: RequestCounts): boolean {
  return requests > 0
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
