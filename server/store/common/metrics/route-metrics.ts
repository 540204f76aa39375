import type { RouteCounts } from '../../event-store.ts'
import { compareRoutes } from '../compare-routes.ts'
import { countsOf, emptySketch } from '../request-sketch.ts'
import type { SelectSketch } from './add-cells.ts'
import type { CellKey } from './request-cells.ts'
import { createRouteCounts, createRouteLookup, type RouteCount } from './route-counts.ts'

/** The requests in a window. */
export type RouteRequests = {
  /** Counts the requests by route. Several elements may have equal keys. */
  count(): Promise<Iterable<readonly [CellKey, number]>>
  /** Adds the requests of these routes to sketches. May call `select` several times with equal keys. */
  addTo(select: SelectSketch, routes: readonly RouteCount[]): Promise<void>
}

/** Finds the busiest routes first, then reads durations only for these routes. */
export async function routeMetrics({ count, addTo }: RouteRequests, limit: number): Promise<RouteCounts[]> {
  const counts = createRouteCounts()
  for (const [key, requests] of await count()) counts.countOf(key).requests += requests
  const busiest = counts.busiest(limit)
  const sketches = busiest.map(key => ({ key, sketch: emptySketch() }))
  const sketchOf = createRouteLookup(sketches.map(({ key, sketch }) => [key, sketch]))
  await addTo(key => {
    const sketch = sketchOf(key)
    return sketch === undefined ? null : () => sketch
  }, busiest)
  return sketches
    .map(({ key: { service, method, route }, sketch }) => ({ service, method, route, ...countsOf(sketch) }))
    .sort(compareRoutes)
}
