import { type EventRow, type LogEvent, ownService } from '../../../shared/event.ts'
import { rangeParams } from '../../../shared/parse-range.ts'
import { withOwnEvents } from '../../../shared/query.ts'
import { cursorOf } from '../../store/common/cursor.ts'
import type { EventPage, EventQuery } from '../../store/event-store.ts'
import type { Store } from '../../store/store.ts'
import { divideIntoBuckets } from '../buckets.ts'
import type { ScreenRequest } from '../screen.ts'
import type { View } from './log-view.ts'

/** The time shown before and after the event if a link contains an event id but no range. */
const aroundMs = 5 * 60_000

/** Loads the event in a link that has no time range, to derive one from the event. Returns `undefined` for other links. */
export async function eventOfBareLink(
  { event }: View,
  { params, signal }: ScreenRequest,
  store: Pick<Store, 'event'>,
): Promise<LogEvent | null | undefined> {
  const hasTime = [...rangeParams, 'before', 'after'].some(name => params.has(name))
  return event === null || hasTime ? undefined : store.event(event, signal)
}

/** Returns the view of the minutes around an event, with Sixpane's own events if the event is one of them. */
export function viewAround(view: View, event: LogEvent, nowMs: number): View {
  const timeMs = Math.round(event.timeMs)
  const range = { fromMs: timeMs - aroundMs, toMs: timeMs + aroundMs }
  const q = event.service === ownService ? withOwnEvents(view.q) : view.q
  return { ...view, q, range, ...divideIntoBuckets(range, nowMs) }
}

/**
 * Returns the requested page of the log. If the first page of an absolute range does not contain the open event, returns
 * the page around the event instead. A relative range always shows its newest page, even if newer events have displaced the
 * open event from it.
 * @param loading the page at the view's cursor
 */
export async function pageOf(
  { range, window, cursor }: View,
  query: EventQuery,
  loading: Promise<EventPage<EventRow>>,
  opened: Promise<LogEvent | null>,
  store: Pick<Store, 'events'>,
  signal: AbortSignal,
): Promise<EventPage<EventRow> & { cursor: View['cursor'] }> {
  const [open, page] = await Promise.all([opened, loading])
  const isElsewhere =
    open !== null &&
    !('span' in range) &&
    Object.keys(cursor).length === 0 &&
    open.timeMs >= window.fromMs &&
    open.timeMs < window.toMs &&
    !page.events.some(({ id }) => id === open.id)
  if (!isElsewhere) return { ...page, cursor }
  const newer = await store.events(
    { ...query, after: cursorOf(open), limit: Math.floor(query.limit / 2) },
    signal,
  )
  const first = newer.events[0] ?? open
  // The cursor is just above the first event, so that links that open or close an event stay on this page.
  const before = cursorOf({ ...first, id: first.id + 1 })
  return { ...(await store.events({ ...query, before }, signal)), cursor: { before } }
}
