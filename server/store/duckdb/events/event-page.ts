import { type Cursor, readCursor } from '../../common/cursor.ts'
import type { Shape } from '../../common/event-rows.ts'
import { fittingEvents, type Keyed, maxPageLength, pageOf } from '../../common/page.ts'
import { number } from '../../common/rows.ts'
import { join, type Sql, sql } from '../../common/sql.ts'
import { microsOf } from '../../common/time.ts'
import type { EventPage, EventQuery } from '../../event-store.ts'
import type { Segment } from '../engine/segments.ts'
import { searchOf } from '../failures/search.ts'
import type { Source } from '../sql/source.ts'

/**
 * Reads a page of events, ordered by time and id. Stops when no further segment can contain an event for the page, so for
 * the newest page of a long window, it usually reads only one segment.
 */
export async function eventPage<Event extends Keyed>(
  source: Source,
  query: EventQuery,
  shape: Shape<Event>,
): Promise<EventPage<Event>> {
  const before = readCursor(query.before)
  const after = before === null ? readCursor(query.after) : null
  const cursor = before ?? after
  const [order, opposite] = after === null ? [newestFirst, oldestFirst] : [oldestFirst, newestFirst]
  const { window, limit, attributes = [] } = query
  const { length } = shape
  const fromUnion = (union: Sql) =>
    length === null
      ? sql`SELECT ${shape.columns} FROM (${union})`
      : sql`SELECT ${shape.columns}, ${length} AS length FROM (${union}) QUALIFY ${fits(length, order)}`
  const search = await searchOf(source, query.query)
  const segments = source.segments
    .overlapping(window)
    .filter(segment => cursor === null || opposite.reaches(segment, cursor.timeUs))
    .sort(order.ofSegments)

  let rows: { event: Event; length: number }[] = []
  let fitting = limit
  for (const part of await search.inParts(segments, window)) {
    const next = rows[fitting]?.event
    if (next !== undefined && !part.segments.some(each => order.reaches(each, microsOf(next.timeMs)))) break
    if (part.tables.length === 0) continue
    // Each table has its own limit, so that the engine keeps few events from each table.
    const columns = attributes.length === 0 ? shape.columns : sql`*`
    const newest = part.tables.map(
      table => sql`(SELECT ${columns} FROM ${table.table} WHERE ${order.beyond(cursor)} AND ${table.condition}
        ORDER BY ${order.key} LIMIT ${limit + 1})`,
    )
    const union = join(newest, ' UNION ALL ')
    // Attributes are read after the limit is applied. Otherwise, the engine would parse the JSON of far more events than the
    // page has.
    const found = await source.query(attributes.length === 0 && length === null ? union : fromUnion(union))
    const read = found.map(row => ({
      event: shape.read(row),
      length: length === null ? 0 : number(row.length),
    }))
    rows = [...rows, ...read].sort((a, b) => order.ofEvents(a.event, b.event))
    fitting = fittingEvents(
      rows.map(({ length }) => length),
      limit,
    )
    rows = rows.slice(0, fitting + 1)
  }

  return pageOf(
    rows.map(({ event }) => event),
    fitting,
    before,
    after,
  )
}

/** Selects the events that fit on a page and one more, which shows that there is a further page. */
function fits(length: Sql, { key }: Order): Sql {
  const before = sql`sum(${length}) OVER (ORDER BY ${key} ROWS BETWEEN UNBOUNDED PRECEDING AND 2 PRECEDING)`
  return sql`coalesce(${before}, 0) <= ${maxPageLength}`
}

type Order = {
  key: Sql
  /** A condition that is true for events that this order places after the cursor. */
  beyond(cursor: Cursor | null): Sql
  ofEvents(a: Keyed, b: Keyed): number
  ofSegments(a: Segment, b: Segment): number
  /** Whether the segment may contain events that this order places at or before this time. */
  reaches(segment: Segment, timeUs: number): boolean
}

const newestFirst: Order = {
  key: sql`time_us DESC, id DESC`,
  beyond: cursor =>
    cursor === null
      ? sql`true`
      : sql`time_us <= ${cursor.timeUs} AND (time_us < ${cursor.timeUs} OR id < ${cursor.id})`,
  ofEvents: (a, b) => b.timeMs - a.timeMs || b.id - a.id,
  ofSegments: (a, b) => b.toUs - a.toUs,
  reaches: (segment, timeUs) => segment.toUs >= timeUs,
}

const oldestFirst: Order = {
  key: sql`time_us, id`,
  beyond: cursor =>
    cursor === null
      ? sql`true`
      : sql`time_us >= ${cursor.timeUs} AND (time_us > ${cursor.timeUs} OR id > ${cursor.id})`,
  ofEvents: (a, b) => a.timeMs - b.timeMs || a.id - b.id,
  ofSegments: (a, b) => a.fromUs - b.fromUs,
  reaches: (segment, timeUs) => segment.fromUs <= timeUs,
}
