import type { CellKey } from '../../common/metrics/request-cells.ts'
import { type Sql, sql } from '../../common/sql.ts'

/** Whether an event belongs to one of these routes. Passes all of them as one value, because there may be a thousand. */
export function isOfRoutes(keys: readonly CellKey[]): Sql {
  const rows = keys.map(({ service, method, route }) => [service, method, route])
  return sql`EXISTS (
    FROM (SELECT unnest(from_json(${JSON.stringify(rows)}, '[["VARCHAR"]]')) AS listed)
    WHERE listed[1] = service AND listed[2] IS NOT DISTINCT FROM method AND listed[3] IS NOT DISTINCT FROM route)`
}
