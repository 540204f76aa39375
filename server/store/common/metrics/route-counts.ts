import { compareRoutes } from '../compare-routes.ts'
import { createLimitedMap } from './limited-map.ts'
import { type CellKey, nameOf } from './request-cells.ts'

/** Routes that contain ids could otherwise exhaust the memory. */
const maxRoutes = 20_000

export type RouteCount = CellKey & { requests: number }

/** Adds up requests by service, method and route. */
export function createRouteCounts() {
  const routes = createLimitedMap<RouteCount>(maxRoutes, compareRoutes)
  // Looking up the key object is faster than building a name for each cell.
  const finders = new WeakMap<CellKey, () => RouteCount>()
  const addFinder = (key: CellKey) => {
    const finder = routes.finder(nameOf(key), () => ({ ...key, requests: 0 }))
    finders.set(key, finder)
    return finder
  }
  return {
    /** Returns the count of a route. Update it before the next call, which may discard it. */
    countOf(key: CellKey): RouteCount {
      const find = finders.get(key) ?? addFinder(key)
      return find()
    },
    busiest: (limit: number): RouteCount[] => routes.values().sort(compareRoutes).slice(0, limit),
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
