import type { LogEvent } from '../../../../shared/event.ts'
import { hourOfId, type IdRange, idsPerHour } from '../../common/accepted-hour.ts'
import { number } from '../../common/rows.ts'
import { name, slow, sql } from '../../common/sql.ts'
import type { AcceptedHour } from '../../transfer-store.ts'
import { wholeEvent } from '../sql/event-rows.ts'
import { eventsBetween, type Source } from '../sql/source.ts'

export async function acceptedHours({ segments, query }: Source): Promise<AcceptedHour[]> {
  const events = new Map<number, number>()
  for (const segment of segments.all()) {
    const rows = await query(
      slow(sql`SELECT id // ${idsPerHour} AS hour, count(*) AS events
        FROM ${name(segment.name)}.event GROUP BY hour ORDER BY hour`),
    )
    for (const row of rows) {
      const hour = number(row.hour)
      events.set(hour, (events.get(hour) ?? 0) + number(row.events))
    }
  }
  return Array.from(events, ([hour, count]) => ({ startMs: hourOfId(hour * idsPerHour), events: count }))
}

/** See `TransferStore`. */
export async function eventsInIds(
  { segments, query }: Source,
  { afterId, upToId }: IdRange,
  limit: number,
): Promise<LogEvent[]> {
  const events: LogEvent[] = []
  for (const segment of segments.all()) {
    const left = limit - events.length
    if (left === 0) break
    if (segment.events === 0 || segment.lastId <= afterId || segment.firstId > upToId) continue
    const table = eventsBetween(segment, afterId, upToId)
    // Finding the last id first means that the engine reads the other columns of only a few rows.
    const [last] = await query(slow(sql`SELECT id FROM ${table} ORDER BY id LIMIT 1 OFFSET ${left - 1}`))
    const lastId = last === undefined ? upToId : number(last.id)
    const rows = await query(
      slow(sql`SELECT ${wholeEvent.columns} FROM ${eventsBetween(segment, afterId, lastId)} ORDER BY id`),
    )
    events.push(...rows.map(wholeEvent.read))
  }
  return events
}
