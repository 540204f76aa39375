import type { EventRow, LogEvent } from '../../../shared/event.ts'
import type { EventPage, EventQuery } from '../../store/event-store.ts'
import type { Store } from '../../store/store.ts'
import { bucketed } from '../buckets.ts'
import type { ScreenRequest } from '../screen.ts'
import type { View } from './log-view.ts'

/** How much of the log a link to an event alone shows before it and after it. */
const aroundMs = 5 * 60_000

/** A link that names an event and no time shows the log around that event, whenever it was. */
export async function viewAround(
  view: View,
  { params, nowMs, signal }: ScreenRequest,
  store: Pick<Store, 'event'>,
): Promise<View> {
  const says = ['range', 'from', 'to', 'before', 'after'].some(name => params.has(name))
  const event = view.event === null || says ? null : await store.event(view.event, signal)
  if (event === null) return view
  const timeMs = Math.round(event.timeMs)
  const range = { fromMs: timeMs - aroundMs, toMs: timeMs + aroundMs }
  return { ...view, range, ...bucketed(range, nowMs) }
}

/**
 * The page of the log that a view asks for. Where a window of its own has more than that page, and the event that is
 * open stands beyond it, it is the page with that event in the middle. A range that follows the present stays at its
 * newest end: who reads there opens events as they come.
 */
export async function pageOf(
  { range, window, cursor }: View,
  question: EventQuery,
  opened: Promise<LogEvent | null>,
  store: Pick<Store, 'events' | 'cursorOf'>,
  signal: AbortSignal,
): Promise<{ page: EventPage<EventRow>; cursor: View['cursor'] }> {
  const [open, page] = await Promise.all([opened, store.events({ ...question, ...cursor }, signal)])
  const isBeyond =
    open !== null &&
    !('span' in range) &&
    Object.keys(cursor).length === 0 &&
    open.timeMs >= window.fromMs &&
    open.timeMs < window.toMs &&
    !page.events.some(({ id }) => id === open.id)
  if (!isBeyond) return { page, cursor }
  const newer = await store.events(
    { ...question, after: store.cursorOf(open), limit: Math.floor(question.limit / 2) },
    signal,
  )
  const first = newer.events[0] ?? open
  // From just above the first one: every link of the page leads to this very page.
  const before = store.cursorOf({ ...first, id: first.id + 1 })
  return { page: await store.events({ ...question, before }, signal), cursor: { before } }
}
