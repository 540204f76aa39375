import type { EventRow } from '../../../shared/event.ts'
import { paths } from '../../../shared/paths.ts'
import { spanning, type Window } from '../../../shared/range.ts'
import type { ActivitiesContent } from '../../../shared/screens/activities.ts'
import { loadPageAt } from '../../load-page.ts'

type Timed = Pick<EventRow, 'timeMs'>

/**
 * Loads a log page for the time in which the events that are missing below a row may have occurred, and returns those events.
 * Returns `null` if the response is not such a page.
 * @param below all rows below
 */
export async function missingEvents(
  above: EventRow,
  below: readonly EventRow[],
  { q, window, urlColumns: columns }: Pick<ActivitiesContent, 'q' | 'window' | 'urlColumns'>,
): Promise<EventRow[] | null> {
  const href = paths.activities({ q, range: missingRange(above, below, window), columns })
  const page = await loadPageAt(href, null)
  if (page?.screen !== 'activities') return null
  const knownIds = new Set(below.map(({ id }) => id))
  return page.content.events.filter(({ id }) => id < above.id && !knownIds.has(id))
}

/**
 * The time between a row and the next one that is not newer. The next rows can be newer, because events can arrive late and the
 * rows that arrived last come first.
 */
export function missingRange(above: Timed, below: readonly Timed[], { fromMs }: Window): Window {
  const next = below.find(({ timeMs }) => timeMs <= above.timeMs)
  return spanning(Math.min(next?.timeMs ?? fromMs, above.timeMs), above.timeMs)
}
