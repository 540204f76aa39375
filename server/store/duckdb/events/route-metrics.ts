import { compareRoutes } from '../../common/compare-routes.ts'
import { countsOf, emptySketch } from '../../common/request-sketch.ts'
import { number, text, textOrNull } from '../../common/rows.ts'
import { type Sql, sql } from '../../common/sql.ts'
import type { RequestFilter, RouteCounts } from '../../event-store.ts'
import { readCells } from '../engine/read-cells.ts'
import { lengthUs, timesOf } from '../engine/times.ts'
import { durationLists } from '../sql/duration-lists.ts'
import { isOfRoutes } from '../sql/route-keys.ts'
import type { Source } from '../sql/source.ts'
import { addCells, allTimes, type SelectSketch } from './add-cells.ts'
import { type RequestParts, requestParts } from './request-parts.ts'
import { createRouteCounts, createRouteLookup, type RouteCount } from './route-counts.ts'

/** Limits the number of routes that are counted from events instead of summaries. */
const maxEventRoutes = 10_000

/** Finds the busiest routes first, then reads durations only for these routes. */
export async function routeMetrics(
  source: Source,
  filter: RequestFilter,
  limit: number,
): Promise<RouteCounts[]> {
  const bucketUs = lengthUs(timesOf(filter.window))
  const parts = await requestParts(source, filter, { bucketUs, grouping: 'route' })
  const busiest = await busiestRoutes(source, parts, limit)
  const sketches = busiest.map(key => ({ key, sketch: emptySketch() }))
  const sketchOf = createRouteLookup(sketches.map(({ key, sketch }) => [key, sketch]))
  const select: SelectSketch = key => {
    const sketch = sketchOf(key)
    return sketch === undefined ? null : () => sketch
  }
  await parts.addTo(select)
  if (parts.events !== null) {
    const requests = sql`(FROM ${parts.events} WHERE ${isOfRoutes(busiest)})`
    const lists = await source.read(durationLists(requests, sql`0`, 'route'))
    await addCells([{ cells: await readCells(lists), times: allTimes }], select)
  }
  return sketches
    .map(({ key: { service, method, route }, sketch }) => ({ service, method, route, ...countsOf(sketch) }))
    .sort(compareRoutes)
}

async function busiestRoutes(
  source: Source,
  { count, events }: RequestParts,
  limit: number,
): Promise<RouteCount[]> {
  const counts = createRouteCounts()
  for (const [key, requests] of await count()) counts.countOf(key).requests += requests
  if (events !== null) {
    for (const row of await source.query(busiestInEvents(events))) {
      const key = {
        service: text(row.service),
        method: textOrNull(row.method),
        route: textOrNull(row.route),
      }
      counts.countOf(key).requests += number(row.requests)
    }
  }
  return counts.busiest(limit)
}

function busiestInEvents(events: Sql): Sql {
  return sql`
    SELECT service, method, route, count(*) AS requests FROM ${events}
    GROUP BY service, method, route ORDER BY requests DESC, service, route, method LIMIT ${maxEventRoutes}`
}
