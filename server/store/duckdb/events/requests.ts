import { bucketCount } from '../../buckets.ts'
import type { RequestBucket, RequestCounts, RequestFilter, RouteCounts } from '../../event-store.ts'
import type { Row } from '../engine/connections.ts'
import { list, number, text, textOrNull } from '../sql/rows.ts'
import { bucketOf, eventsOf, inWindow, type Source } from '../sql/source.ts'
import { type Sql, sql } from '../sql/sql.ts'

/** An event with a status and a duration is an answered request. */
const answered = sql`status IS NOT NULL AND duration_ms IS NOT NULL`

/** Computes exact percentiles, because `approx_quantile` was no faster for millions of requests. */
export const requestColumns: Sql = sql`
  count(*) FILTER (WHERE ${answered}) AS requests,
  count(*) FILTER (WHERE ${answered} AND status >= 500) AS errors,
  quantile_cont(duration_ms, [0.5, 0.95, 0.99]) FILTER (WHERE ${answered}) AS percentiles`

export function readRequests(row: Row | undefined): RequestCounts {
  const percentiles = row === undefined || row.percentiles === null ? [] : list(row.percentiles, number)
  return {
    requests: row === undefined ? 0 : number(row.requests),
    errors: row === undefined ? 0 : number(row.errors),
    p50Ms: percentiles[0] ?? null,
    p95Ms: percentiles[1] ?? null,
    p99Ms: percentiles[2] ?? null,
  }
}

export async function requestSeries(
  source: Source,
  filter: RequestFilter,
  bucketMs: number,
): Promise<RequestBucket[]> {
  const { window } = filter
  const count = bucketCount(window, bucketMs)
  const rows = await source.query(sql`
    SELECT ${bucketOf(window, bucketMs)} AS bucket, ${requestColumns} FROM ${requests(source, filter)} GROUP BY bucket`)
  const byBucket = new Map(rows.map(row => [number(row.bucket), row]))
  return Array.from({ length: count }, (_, index) => ({
    startMs: window.fromMs + index * bucketMs,
    ...readRequests(byBucket.get(index)),
  }))
}

export async function requestMetrics(source: Source, filter: RequestFilter): Promise<RequestCounts> {
  const [row] = await source.query(sql`SELECT ${requestColumns} FROM ${requests(source, filter)}`)
  return readRequests(row)
}

export async function routeMetrics(
  source: Source,
  filter: RequestFilter,
  limit: number,
): Promise<RouteCounts[]> {
  const rows = await source.query(sql`
    SELECT service, method, route, ${requestColumns} FROM ${requests(source, filter)}
    GROUP BY service, method, route ORDER BY requests DESC, service, route, method LIMIT ${limit}`)
  return rows.map(row => ({
    service: text(row.service),
    method: textOrNull(row.method),
    route: textOrNull(row.route),
    ...readRequests(row),
  }))
}

/** The requests that match a filter, with all columns. */
export function requests({ segments }: Source, { window, service }: RequestFilter): Sql {
  const ofService = service === null ? sql`true` : sql`service = ${service}`
  return sql`(SELECT * FROM ${eventsOf(segments.overlapping(window))} WHERE ${inWindow(window)} AND ${answered} AND ${ofService})`
}
