import { type Sql, sql } from './sql.ts'

/** An event with a status and a duration is an answered request. */
export const answered = sql`status IS NOT NULL AND duration_ms IS NOT NULL`

/** The durations of requests by time, service, method and route, for `readCells`. */
export function durationLists(requests: Sql, fromUs: Sql, byRoute: boolean): Sql {
  const route = byRoute ? sql`method, route` : sql`NULL AS method, NULL AS route`
  return sql`
    SELECT ${fromUs} AS from_us, service, ${route},
      count(*) FILTER (WHERE status >= 500) AS errors, list(duration_ms) AS durations
    FROM ${requests} GROUP BY ALL`
}
