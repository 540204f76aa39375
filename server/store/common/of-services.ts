import type { RequestFilter } from '../event-store.ts'
import { type Sql, sql } from './sql.ts'

/** Like `selectsService`, for rows with a `service` column. */
export function ofServices({ service, except }: Pick<RequestFilter, 'service' | 'except'>): Sql {
  if (service !== null) return sql`service = ${service}`
  return except === undefined ? sql`true` : sql`service <> ${except}`
}
