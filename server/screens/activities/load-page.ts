import type { EventRow, LogEvent } from '../../../shared/event.ts'
import { pageOf } from '../../store/common/page.ts'
import { rowOf } from '../../store/common/row-of.ts'
import type { EventPage, EventQuery } from '../../store/event-store.ts'
import type { Store } from '../../store/store.ts'
import type { View } from './log-view.ts'

/**
 * Loads the page at the view's cursor. The first page of a trace or request consists of events that its waterfall has to
 * load anyway, because finding them a second time would take as long as the first time.
 * @param searched the result of `newestOfTrace`
 */
export async function loadPage(
  { cursor }: Pick<View, 'cursor'>,
  query: EventQuery,
  searched: Promise<EventPage<LogEvent>> | null,
  store: Pick<Store, 'events'>,
  signal: AbortSignal,
): Promise<EventPage<EventRow>> {
  const newest = Object.keys(cursor).length > 0 ? null : await searched
  const isComplete = newest !== null && (newest.older === null || newest.events.length > query.limit)
  if (!isComplete) return store.events({ ...query, ...cursor }, signal)
  const rows = newest.events.slice(0, query.limit + 1).map(event => rowOf(event, query.attributes))
  return pageOf(rows, query.limit, null, null)
}
