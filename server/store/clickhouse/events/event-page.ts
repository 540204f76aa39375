import type { LogEvent } from '../../../../shared/event.ts'
import type { Query } from '../../../../shared/query.ts'
import { readCursor } from '../../common/cursor.ts'
import type { Shape } from '../../common/event-rows.ts'
import { needsFingerprint } from '../../common/needs-fingerprint.ts'
import { fittingEvents, type Keyed, maxPageLength, pageOf } from '../../common/page.ts'
import { number } from '../../common/rows.ts'
import { type Sql, sql } from '../../common/sql.ts'
import type { EventPage, EventQuery } from '../../event-store.ts'
import { compile } from '../sql/compile.ts'
import { wholeEvent } from '../sql/event-rows.ts'
import { inWindow, type Source } from '../sql/source.ts'

export async function eventPage<Event extends Keyed>(
  { select, selectOfFailures, read, events }: Source,
  { window, query, limit, ...cursors }: EventQuery,
  { columns, length, read: readRow }: Shape<Event>,
): Promise<EventPage<Event>> {
  const condition = await read(state => compile(query, state))
  const before = readCursor(cursors.before)
  const after = before === null ? readCursor(cursors.after) : null
  const own = before ?? after
  const from =
    own === null
      ? sql``
      : sql`AND (time_us, id) ${after === null ? sql`<` : sql`>`} (${own.timeUs}, ${own.id})`
  const order = after === null ? sql`time_us DESC, id DESC` : sql`time_us, id`
  const found = sql`
    SELECT ${columns} ${events} AND ${inWindow(window)} ${from} AND ${condition}
    ORDER BY ${order} LIMIT ${limit + 1}`
  if (length === null) {
    const rows = await (needsFingerprint(query) ? selectOfFailures : select)(found)
    return pageOf(rows.map(readRow), limit, before, after)
  }
  // Reads the events that fit and one more, which shows that there is a further page.
  const rows = await select(sql`
    SELECT * FROM (
      SELECT *, ${length} AS length,
        sum(length) OVER (ORDER BY ${order} ROWS BETWEEN UNBOUNDED PRECEDING AND 2 PRECEDING) AS length_before
      FROM (${found})
    ) WHERE length_before <= ${maxPageLength} ORDER BY ${order}`)
  const fitting = fittingEvents(
    rows.map(row => number(row.length)),
    limit,
  )
  return pageOf(rows.map(readRow), fitting, before, after)
}

export async function eventById({ select, events }: Source, id: number): Promise<LogEvent | null> {
  const [row] = await select(sql`SELECT ${wholeEvent.columns} ${events} AND id = ${id} LIMIT 1`)
  return row === undefined ? null : wholeEvent.read(row)
}

/** The newest matching events that also meet the condition `newer`: see `EventStore.since`. */
export async function eventsSince<Event>(
  { select, read, events }: Source,
  newer: Sql,
  query: Query,
  limit: number,
  { columns, read: readRow }: Shape<Event>,
): Promise<{ events: Event[]; missed: number }> {
  const condition = await read(state => compile(query, state))
  const matching = sql`${events} AND ${newer} AND ${condition}`
  const rows = await select(sql`SELECT ${columns} ${matching} ORDER BY id DESC LIMIT ${limit}`)
  const found = rows.map(readRow).reverse()
  if (found.length < limit) return { events: found, missed: 0 }
  const [all] = await select(sql`SELECT count() AS count ${matching}`)
  return { events: found, missed: Math.max(number(all?.count) - limit, 0) }
}
