import type { EventRow, LogEvent } from '../../../../shared/event.ts'
import type { Query } from '../../../../shared/query.ts'
import type { Shape } from '../../common/event-rows.ts'
import { number } from '../../common/rows.ts'
import { name, sql } from '../../common/sql.ts'
import { searchOf } from '../failures/search.ts'
import { wholeEvent } from '../sql/event-rows.ts'
import { isVisible, type Source } from '../sql/source.ts'

/** Reads one event. Ids increase from segment to segment, so only one segment can contain it. */
export async function eventById(source: Source, id: number): Promise<LogEvent | null> {
  const segment = source.segments.all().find(({ firstId, lastId }) => firstId <= id && id <= lastId)
  if (segment === undefined) return null
  const [row] = await source.query(
    sql`SELECT * FROM ${name(segment.name)}.event WHERE id = ${id} AND ${isVisible(source)}`,
  )
  return row === undefined ? null : wholeEvent.read(row)
}

/**
 * The newest `limit` matching events with ids above `after.id`, up to `after.upTo`, oldest first, and the number of other
 * matches.
 */
export async function eventsSince(
  source: Source,
  after: { id: number; upTo: number },
  query: Query,
  limit: number,
  shape: Shape<EventRow>,
): Promise<{ events: EventRow[]; missed: number }> {
  const newer = source.segments.all().filter(({ lastId }) => lastId > after.id)
  if (newer.length === 0) return { events: [], missed: 0 }
  const search = await searchOf(source, query)
  const matching = sql`FROM ${await search.matching(newer)} WHERE id > ${after.id} AND id <= ${after.upTo}`
  const rows = await source.query(sql`SELECT ${shape.columns} ${matching} ORDER BY id DESC LIMIT ${limit}`)
  const [counted] = rows.length < limit ? [] : await source.query(sql`SELECT count(*) AS count ${matching}`)
  return {
    events: rows.map(shape.read).reverse(),
    missed: counted === undefined ? 0 : Math.max(number(counted.count) - rows.length, 0),
  }
}
