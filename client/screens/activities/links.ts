import type { EventRow } from '../../../shared/event.ts'
import { paths } from '../../../shared/paths.ts'
import type { Window } from '../../../shared/range.ts'
import type { ActivitiesContent } from '../../../shared/screens/activities.ts'

/** The part of the content that every link of this screen keeps. */
export type View = Pick<ActivitiesContent, 'q' | 'range' | 'cursor' | 'columnsAsked'>

/** Another search over the same time. */
export function hrefOfSearch({ range, columnsAsked: columns }: View, q: string): string {
  return paths.activities({ q, range, columns })
}

/** The same search over another time. */
export function hrefOfWindow({ q, columnsAsked: columns }: View, range: Window): string {
  return paths.activities({ q, range, columns })
}

/** The same page with an event open; it begins at that event, which stands above the log on narrow screens. */
export function hrefOfEvent(
  { q, range, cursor, columnsAsked: columns }: View,
  { id }: Pick<EventRow, 'id'>,
): string {
  return `${paths.activities({ q, range, ...cursor, columns, event: id })}#event`
}

/** The same page with no event open, back at the row of the one that was. */
export function hrefWithoutEvent(
  { q, range, cursor, columnsAsked: columns }: View,
  { id }: Pick<EventRow, 'id'>,
): string {
  return `${paths.activities({ q, range, ...cursor, columns })}#event-${id}`
}

/** Everything that the search `q` finds before and after an event, which stays open, at its row. */
export function hrefAround(
  { columnsAsked: columns }: View,
  event: Pick<EventRow, 'id' | 'timeMs'>,
  q: string,
  aroundMs: number,
): string {
  const timeMs = Math.round(event.timeMs)
  const range = { fromMs: timeMs - aroundMs, toMs: timeMs + aroundMs }
  return `${paths.activities({ q, range, columns, event: event.id })}#event-${event.id}`
}
