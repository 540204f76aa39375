import { bucketCount } from '../../buckets.ts'
import { compareRoutes } from '../../common/compare-routes.ts'
import { binOf } from '../../common/duration-bins.ts'
import { ofServices } from '../../common/of-services.ts'
import { addToBin, countsOf, emptySketch, type RequestSketch, seriesOf } from '../../common/request-sketch.ts'
import { list, number, text, textOrNull } from '../../common/rows.ts'
import { join, type Sql, sql } from '../../common/sql.ts'
import type { RequestFilter, RequestSeries, RouteCounts } from '../../event-store.ts'
import { binFromMs } from '../sql/duration-band.ts'
import { eventGroups, type Grouping } from '../sql/event-groups.ts'
import type { Source } from '../sql/source.ts'

type RequestGrouping = Omit<Grouping, 'values'>

/** A subquery that groups a window's requests by `keys` and, with `bucketMs`, by `bucket`. `readSketch` reads its rows. */
export function requestGroups(source: Pick<Source, 'events'>, { keys, ...grouping }: RequestGrouping): Sql {
  const groups = eventGroups(source, {
    ...grouping,
    keys: [...keys, sql`duration_band`],
    values: ['events', 'failed', 'bins'],
    condition: sql`duration_band IS NOT NULL AND ${grouping.condition ?? sql`true`}`,
  })
  const columns = join(grouping.bucketMs === null ? keys : [sql`bucket`, ...keys], ', ')
  return sql`(
    SELECT ${columns}, groupArray((duration_band, bins_in_band)) AS bands, sum(in_band) AS requests, sum(failed_in_band) AS errors
    FROM (
      SELECT ${columns}, duration_band, sum(events) AS in_band, sum(failed) AS failed_in_band, sumForEach(bins) AS bins_in_band
      FROM ${groups} GROUP BY ${columns}, duration_band
    ) GROUP BY ${columns})`
}

/** Reads the columns of `requestGroups`. */
export function readSketch(row: Readonly<Record<string, unknown>>): RequestSketch {
  const sketch = emptySketch()
  for (const [durationBand, bins] of list(row.bands, band => list(band, part => part))) {
    const band = number(durationBand)
    for (const [index, requests] of list(bins, number).entries())
      if (requests > 0) addToBin(sketch, binOf(binFromMs(band, index) * aboveRounding), requests)
  }
  sketch.errors = number(row.errors)
  return sketch
}

/** Raises a bin's lower limit slightly, so that a rounding error does not put it in the bin below. */
const aboveRounding = 1 + 1e-6

export async function requestSeries(
  source: Source,
  filter: RequestFilter,
  bucketMs: number,
): Promise<RequestSeries> {
  const { window } = filter
  const length = bucketCount(window, bucketMs)
  const condition = ofServices(filter)
  const groups = requestGroups(source, {
    window,
    bucketMs,
    projection: 'service_activity',
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
    projection: 'route_durations',
    keys: [sql`service`, sql`method`, sql`route`],
    condition: ofServices(filter),
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
