import { text } from '../../common/rows.ts'
import { join, name, sql } from '../../common/sql.ts'
import type { Source } from '../sql/source.ts'

/** The newest idempotency keys, newest first. */
export async function requestKeys({ segments, query }: Source, limit: number): Promise<string[]> {
  const tables = segments
    .all()
    .map(segment => sql`SELECT key, accepted_ms FROM ${name(segment.name)}.request`)
  const rows = await query(
    sql`SELECT key FROM (${join(tables, ' UNION ALL ')}) ORDER BY accepted_ms DESC LIMIT ${limit}`,
  )
  return rows.map(row => text(row.key))
}
