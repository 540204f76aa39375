import type { LogEvent } from '../../../../shared/event.ts'
import { hourOfId, type IdRange, idsPerHour } from '../../common/accepted-hour.ts'
import { number } from '../../common/rows.ts'
import { join, name, slow, sql } from '../../common/sql.ts'
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
export async function pageEnds(
  { segments, query }: Source,
  { afterId, upToId }: IdRange,
  size: number,
): Promise<number[]> {
  const tables = segments.all().map(segment => eventsBetween(segment, afterId, upToId))
  const ids = join(
    tables.map(table => sql`SELECT id FROM ${table}`),
    ' UNION ALL ',
  )
  const rows = await query(
    slow(sql`
      SELECT id FROM (SELECT id, row_number() OVER (ORDER BY id) AS number FROM (${ids}))
      WHERE number % ${size} = 0 ORDER BY id`),
  )
  return rows.map(row => number(row.id))
}

/** See `TransferStore`. */
export async function eventsInIds(
  { segments, query }: Source,
  { afterId, upToId }: IdRange,
): Promise<LogEvent[]> {
  const events: LogEvent[] = []
  for (const segment of segments.all()) {
    if (segment.events === 0 || segment.lastId <= afterId || segment.firstId > upToId) continue
    const table = eventsBetween(segment, afterId, upToId)
    const rows = await query(slow(sql`SELECT ${wholeEvent.columns} FROM ${table} ORDER BY id`))
    events.push(...rows.map(wholeEvent.read))
  }
  return events
}
