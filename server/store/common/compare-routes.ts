import { compareText } from './compare-text.ts'

type RouteCount = { service: string; method: string | null; route: string | null; requests: number }

/** Sorts routes by their number of requests, busiest first. */
export function compareRoutes(a: RouteCount, b: RouteCount): number {
  return (
    b.requests - a.requests ||
    compareText(a.service, b.service) ||
    compareText(a.route, b.route) ||
    compareText(a.method, b.method)
  )
}
