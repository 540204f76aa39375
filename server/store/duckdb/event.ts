import type { EventRow } from '../../../shared/content.ts'
import type { LogEvent } from '../../../shared/event.ts'
import type { Query } from '../../../shared/query.ts'
import { compile } from './compile.ts'
import { readEvent, type Shape } from './rows.ts'
import { eventsOf, type Source } from './source.ts'
import { name, sql } from './sql.ts'

/** One event: ids grow from segment to segment, so only one can hold it. */
export async function eventById({ segments, ask }: Source, id: number): Promise<LogEvent | null> {
  const segment = segments.all().find(({ firstId, lastId }) => firstId <= id && id <= lastId)
  if (segment === undefined) return null
  const [row] = await ask(sql`SELECT * FROM ${name(segment.name)}.event WHERE id = ${id}`)
  return row === undefined ? null : readEvent(row)
}

/** Matching events above an id, oldest first. */
export async function eventsSince(
  { segments, ask }: Source,
  afterId: number,
  query: Query,
  limit: number,
  shape: Shape<EventRow>,
): Promise<EventRow[]> {
  const newer = segments.all().filter(({ lastId }) => lastId > afterId)
  if (newer.length === 0) return []
  const rows = await ask(sql`
    SELECT ${shape.columns} FROM ${eventsOf(newer)}
    WHERE id > ${afterId} AND ${compile(query)} ORDER BY id LIMIT ${limit}`)
  return rows.map(shape.read)
}
