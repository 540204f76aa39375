import { compareRoutes } from '../../common/compare-routes.ts'
import { type CellKey, nameOf } from '../engine/request-cells.ts'

/** If there are more, the less busy half is discarded. Otherwise, routes that contain ids could exhaust the memory. */
const maxRoutes = 20_000

export type RouteCount = CellKey & { requests: number }

/** Adds up requests by service, method and route. */
export function createRouteCounts() {
  let routes = new Map<string, RouteCount>()
  // Looking up the key object is faster than building a name for each cell.
  let routeOf = new WeakMap<CellKey, RouteCount>()
  const addRoute = (key: CellKey): RouteCount => {
    const name = nameOf(key)
    const route = routes.get(name) ?? { ...key, requests: 0 }
    routes.set(name, route)
    routeOf.set(key, route)
    return route
  }
  const discardLeastBusy = () => {
    const busiest = [...routes].sort(([, a], [, b]) => compareRoutes(a, b))
    routes = new Map(busiest.slice(0, maxRoutes / 2))
    routeOf = new WeakMap()
  }
  return {
    /** Returns the count of a route. Update it before the next call, which may discard it. */
    countOf(key: CellKey): RouteCount {
      if (routes.size > maxRoutes) discardLeastBusy()
      return routeOf.get(key) ?? addRoute(key)
    },
    busiest: (limit: number): RouteCount[] => [...routes.values()].sort(compareRoutes).slice(0, limit),
  }
}

/** Returns a function that finds the value of a route. Remembers the result for each key object. */
export function createRouteLookup<Value>(values: readonly (readonly [CellKey, Value])[]) {
  const byName = new Map(values.map(([key, value]) => [nameOf(key), value]))
  const byKey = new WeakMap<CellKey, { value: Value | undefined }>()
  return (key: CellKey): Value | undefined => {
    const found = byKey.get(key) ?? { value: byName.get(nameOf(key)) }
    byKey.set(key, found)
    return found.value
  }
}
