import type { QueryField } from '../../../shared/query.ts'
import { type Sql, sql } from './sql.ts'

/** The columns of each search field. A field with two columns matches if either column does. */
export const fieldColumns: Readonly<Record<QueryField, readonly Sql[]>> = {
  severity: [sql`severity`],
  service: [sql`service`],
  release: [sql`release`],
  source: [sql`source`],
  route: [sql`route`],
  method: [sql`method`],
  status: [sql`status`],
  duration: [sql`duration_ms`],
  message: [sql`body`],
  digest: [sql`digest`],
  fingerprint: [sql`fingerprint`],
  // An event belongs to a failure if it has a fingerprint.
  failure: [sql`fingerprint`],
  request: [sql`request_id`],
  trace: [sql`trace_id`],
  span: [sql`span_id`],
  exception: [sql`exception_type`, sql`exception_message`],
}

export const numberFields: ReadonlySet<QueryField> = new Set(['status', 'duration'])
