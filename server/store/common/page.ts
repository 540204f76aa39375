import type { EventPage } from '../event-store.ts'
import { type Cursor, cursorOf, writeCursor } from './cursor.ts'

/** The sort key of an event. */
export type Keyed = { timeMs: number; id: number }

/**
 * The maximum length of a page's texts, in characters, or in bytes with ClickHouse. A page ends after the event that exceeds
 * it, because clients choose how large events are, and a page of the largest ones would need more memory than the server has.
 */
export const maxPageLength = 4 * 1024 * 1024

/**
 * The number of events on a page.
 * @param lengths the lengths of the events' texts, in the order in which the page is filled
 */
export function fittingEvents(lengths: readonly number[], limit: number): number {
  let total = 0
  const end = lengths.findIndex(length => {
    const isFull = total > maxPageLength
    total += length
    return isFull
  })
  return end < 0 ? limit : Math.min(end, limit)
}

/**
 * Builds a page from up to `limit + 1` events.
 * @param rows newest first, or oldest first with an `after` cursor
 */
export function pageOf<Event extends Keyed>(
  rows: readonly Event[],
  limit: number,
  before: Cursor | null,
  after: Cursor | null,
): EventPage<Event> {
  const more = rows.length > limit
  const events = rows.slice(0, limit)
  if (after !== null) events.reverse()
  return {
    events,
    older: after !== null || more ? cursorAt(events.at(-1), before ?? after, 1) : null,
    newer: (after === null ? before !== null : more) ? cursorAt(events[0], before ?? after, -1) : null,
  }
}

/**
 * Returns the cursor of a page's first or last event. For an empty page, moves the requested cursor by one step, because a
 * page does not contain the event at its cursor.
 */
function cursorAt(event: Keyed | undefined, own: Cursor | null, step: 1 | -1): string | null {
  if (event !== undefined) return cursorOf(event)
  return own === null ? null : writeCursor({ ...own, id: own.id + step })
}
