import { bucketCount } from '../../buckets.ts'
import { compareRoutes } from '../../common/compare-routes.ts'
import { binLimitsMs, binOf } from '../../common/duration-bins.ts'
import { addToBin, countsOf, emptySketch, type RequestSketch, seriesOf } from '../../common/request-sketch.ts'
import { list, number, text, textOrNull } from '../../common/rows.ts'
import { type Sql, sql } from '../../common/sql.ts'
import type { RequestFilter, RequestSeries, RouteCounts } from '../../event-store.ts'
import { bucketIn, inFilter, type Source } from '../sql/source.ts'

/** Whether an event is a request. */
export const isRequest = sql`(status IS NOT NULL AND duration_ms IS NOT NULL)`

/** The lower limit of the bin that contains the duration; -1 below all limits. */
const limits = sql`JSONExtract(${JSON.stringify([...binLimitsMs])}, 'Array(Float64)')`
const binLimit = sql`if(ifNull(duration_ms, 0) < ${binLimitsMs[0] ?? 0}, -1, roundDown(ifNull(duration_ms, 0), ${limits}))`

/** Aggregates the requests of a group: see `readSketch`. */
export const sketch: Sql = sql`
  sumMapIf([${binLimit}], [toUInt64(1)], ${isRequest}) AS bins,
  countIf(${isRequest} AND status >= 500) AS errors`

/** Reads the columns of `sketch`. */
export function readSketch(row: Readonly<Record<string, unknown>>): RequestSketch {
  const [limitsMs = [], counts = []] = list(row.bins, each => list(each, number))
  const read = emptySketch()
  for (const [index, limitMs] of limitsMs.entries()) addToBin(read, binOf(limitMs), counts[index] ?? 0)
  read.errors = number(row.errors)
  return read
}

export async function requestSeries(
  { select, events }: Source,
  filter: RequestFilter,
  bucketMs: number,
): Promise<RequestSeries> {
  const length = bucketCount(filter.window, bucketMs)
  const rows = await select(sql`
    SELECT ${bucketIn(filter.window, bucketMs)} AS bucket, ${sketch}
    ${events} AND ${inFilter(filter)} AND ${isRequest} GROUP BY bucket`)
  const sketches = new Map(rows.map(row => [number(row.bucket), readSketch(row)]))
  return seriesOf(
    Array.from({ length }, (_, bucket) => sketches.get(bucket)),
    filter.window.fromMs,
    bucketMs,
  )
}

export async function routeMetrics(
  { select, events }: Source,
  filter: RequestFilter,
  limit: number,
): Promise<RouteCounts[]> {
  const rows = await select(sql`
    SELECT service, method, route, ${sketch}
    ${events} AND ${inFilter(filter)} AND ${isRequest}
    GROUP BY service, method, route
    ORDER BY count() DESC, service, route NULLS LAST, method NULLS LAST LIMIT ${limit}`)
  return rows
    .map(row => ({
      service: text(row.service),
      method: textOrNull(row.method),
      route: textOrNull(row.route),
      ...countsOf(readSketch(row)),
    }))
    .sort(compareRoutes)
}
