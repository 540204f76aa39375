import { type Sql, sql } from '../../common/sql.ts'

/** An event with a status and a duration is a request. */
export const isRequestEvent = sql`status IS NOT NULL AND duration_ms IS NOT NULL`

/** How to group requests with the same `from_us`. */
export type Grouping = 'none' | 'service' | 'route'

const columns: Readonly<Record<Grouping, Sql>> = {
  none: sql`'' AS service, NULL AS method, NULL AS route`,
  service: sql`service, NULL AS method, NULL AS route`,
  route: sql`service, method, route`,
}

/** The durations of requests by time and group, oldest first, for `readCells`. */
export function durationLists(requests: Sql, fromUs: Sql, grouping: Grouping): Sql {
  return sql`
    SELECT ${fromUs} AS from_us, ${columns[grouping]},
      count(*) FILTER (WHERE status >= 500) AS errors, list(duration_ms) AS durations
    FROM ${requests} GROUP BY ALL ORDER BY from_us`
}

/** Counts the rows of `durationLists`, up to a limit, without reading durations. */
export function countLists(requests: Sql, fromUs: Sql, grouping: Grouping, limit: number): Sql {
  return sql`
    SELECT count(*) AS count
    FROM (SELECT DISTINCT ${fromUs} AS from_us, ${columns[grouping]} FROM ${requests} LIMIT ${limit})`
}
