import { bucketCount } from '../../buckets.ts'
import { compareText } from '../../common/compare-text.ts'
import { countsOf, emptySketch, type RequestSketch, seriesOf } from '../../common/request-sketch.ts'
import type { RequestCounts, RequestFilter, RequestSeries, RouteCounts } from '../../event-store.ts'
import type { CellKey, RequestCell } from '../engine/request-cells.ts'
import type { Source } from '../sql/source.ts'
import { visitRequests } from './read-requests.ts'

export async function requestSeries(
  source: Source,
  filter: RequestFilter,
  bucketMs: number,
): Promise<RequestSeries> {
  const cells = Array.from({ length: bucketCount(filter.window, bucketMs) }, (): RequestCell[] => [])
  await visitRequests(source, filter, { bucketMs, grouping: 'none' }, (cell, bucket) => {
    cells[bucket]?.push(cell)
  })
  return seriesOf(cells.map(sketchOf), filter.window.fromMs, bucketMs)
}

export async function routeMetrics(
  source: Source,
  filter: RequestFilter,
  limit: number,
): Promise<RouteCounts[]> {
  const routes = new Map<string, Route>()
  const routeOf = new Map<CellKey, Route>()
  const addKey = (key: CellKey) => {
    const name = JSON.stringify([key.service, key.method, key.route])
    const route = routes.get(name) ?? { ...key, requests: 0, cells: [] }
    routes.set(name, route)
    routeOf.set(key, route)
    return route
  }
  await visitRequests(source, filter, { bucketMs: null, grouping: 'route' }, cell => {
    const route = routeOf.get(cell.key) ?? addKey(cell.key)
    route.requests += cell.requests
    route.cells.push(cell)
  })
  const busiest = [...routes.values()].sort(
    (a, b) =>
      b.requests - a.requests ||
      compareText(a.service, b.service) ||
      compareText(a.route, b.route) ||
      compareText(a.method, b.method),
  )
  return busiest
    .slice(0, limit)
    .map(({ service, method, route, cells }) => ({ service, method, route, ...requestCounts(cells) }))
}

type Route = CellKey & { requests: number; cells: RequestCell[] }

export function requestCounts(cells: readonly RequestCell[]): RequestCounts {
  return countsOf(sketchOf(cells))
}

function sketchOf(cells: readonly RequestCell[]): RequestSketch {
  const sketch = emptySketch()
  for (const cell of cells) {
    sketch.errors += cell.errors
    cell.add(sketch.counts)
  }
  return sketch
}
