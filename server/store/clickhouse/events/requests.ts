import { bucketCount } from '../../buckets.ts'
import { compareRoutes } from '../../common/compare-routes.ts'
import { binOf } from '../../common/duration-bins.ts'
import { addToBin, countsOf, emptySketch, type RequestSketch, seriesOf } from '../../common/request-sketch.ts'
import { list, number, text, textOrNull } from '../../common/rows.ts'
import { join, type Sql, sql } from '../../common/sql.ts'
import type { RequestFilter, RequestSeries, RouteCounts } from '../../event-store.ts'
import { eventGroups, type Grouping } from '../sql/event-groups.ts'
import { binFromMs, requestGrainUs, routeGrainUs } from '../sql/expressions.ts'
import { ofService, type Source } from '../sql/source.ts'

type RequestGrouping = Pick<Grouping, 'window' | 'bucketMs' | 'grainUs' | 'condition'> & {
  keys: readonly Sql[]
}

/** A subquery for the requests of a window by `keys` and, if there are buckets, by `bucket`. `readSketch` reads its rows. */
export function requestGroups(source: Pick<Source, 'events'>, { keys, ...grouping }: RequestGrouping): Sql {
  const groups = eventGroups(source, {
    ...grouping,
    keys: join([...keys, sql`${binFromMs} AS bin_from_ms`], ', '),
    values: sql`count() AS events, countIf(status >= 500) AS failed`,
    condition: sql`bin_from_ms IS NOT NULL AND ${grouping.condition ?? sql`true`}`,
  })
  const columns = join(grouping.bucketMs === null ? keys : [sql`bucket`, ...keys], ', ')
  return sql`(
    SELECT ${columns}, groupArray((toFloat32(bin_from_ms), in_bin)) AS bins, sum(in_bin) AS requests, sum(failed_in_bin) AS errors
    FROM (
      SELECT ${columns}, bin_from_ms, sum(events) AS in_bin, sum(failed) AS failed_in_bin FROM ${groups}
      GROUP BY ${columns}, bin_from_ms
    ) GROUP BY ${columns})`
}

/** Reads the columns of `requestGroups`. */
export function readSketch(row: Readonly<Record<string, unknown>>): RequestSketch {
  const sketch = emptySketch()
  for (const [fromMs = 0, requests = 0] of list(row.bins, bin => list(bin, number)))
    addToBin(sketch, binOf(fromMs * aboveRounding), requests)
  sketch.errors = number(row.errors)
  return sketch
}

/** More than the difference between a limit and the shorter number that ClickHouse returns. */
const aboveRounding = 1 + 1e-6

export async function requestSeries(
  source: Source,
  filter: RequestFilter,
  bucketMs: number,
): Promise<RequestSeries> {
  const { window } = filter
  const length = bucketCount(window, bucketMs)
  const condition = ofService(filter)
  const groups = requestGroups(source, {
    window,
    bucketMs,
    grainUs: requestGrainUs,
    keys: [],
    condition,
  })
  const rows = await source.select(sql`SELECT * FROM ${groups}`)
  const sketches = new Map(rows.map(row => [number(row.bucket), readSketch(row)]))
  return seriesOf(
    Array.from({ length }, (_, bucket) => sketches.get(bucket)),
    window.fromMs,
    bucketMs,
  )
}

export async function routeMetrics(
  source: Source,
  filter: RequestFilter,
  limit: number,
): Promise<RouteCounts[]> {
  const groups = requestGroups(source, {
    window: filter.window,
    bucketMs: null,
    grainUs: routeGrainUs,
    keys: [sql`service`, sql`method`, sql`route`],
    condition: ofService(filter),
  })
  const rows = await source.select(sql`
    SELECT * FROM ${groups} ORDER BY requests DESC, service, route NULLS LAST, method NULLS LAST LIMIT ${limit}`)
  return rows
    .map(row => ({
      service: text(row.service),
      method: textOrNull(row.method),
      route: textOrNull(row.route),
      ...countsOf(readSketch(row)),
    }))
    .sort(compareRoutes)
}
