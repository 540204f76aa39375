import { type Sql, sql } from '../../common/sql.ts'
import type { RequestFilter } from '../../event-store.ts'

/** Like `selectsService`, for rows with a `service` column. */
export function ofServices({ service, except }: Pick<RequestFilter, 'service' | 'except'>): Sql {
  if (service !== null) return sql`service = ${service}`
  return except === undefined ? sql`true` : sql`service <> ${except}`
}
