import type { EventRow } from '../../../shared/event.ts'
import { paths } from '../../../shared/paths.ts'
import type { Window } from '../../../shared/range.ts'
import type { ActivitiesContent } from '../../../shared/screens/activities.ts'

/** The part of the content that all links of this screen preserve. */
export type View = Pick<ActivitiesContent, 'q' | 'range' | 'cursor' | 'urlColumns'>

/** Another search over the same range. */
export function hrefOfSearch({ range, urlColumns: columns }: View, q: string): string {
  return paths.activities({ q, range, columns })
}

/** The same search over another window. */
export function hrefOfWindow({ q, urlColumns: columns }: View, range: Window): string {
  return paths.activities({ q, range, columns })
}

/** The same page with another open event. On narrow screens, where the event is above the log, the hash scrolls to it. */
export function hrefOfEvent(
  { q, range, cursor, urlColumns: columns }: View,
  { id }: Pick<EventRow, 'id'>,
): string {
  return `${paths.activities({ q, range, ...cursor, columns, event: id })}#event`
}

/** The same page without the open event, scrolled to its row. */
export function hrefWithoutEvent(
  { q, range, cursor, urlColumns: columns }: View,
  { id }: Pick<EventRow, 'id'>,
): string {
  return `${paths.activities({ q, range, ...cursor, columns })}#event-${id}`
}

/** The results of `q` around the open event, scrolled to its row. */
export function hrefAround(
  { urlColumns: columns }: View,
  event: Pick<EventRow, 'id' | 'timeMs'>,
  q: string,
  aroundMs: number,
): string {
  const timeMs = Math.round(event.timeMs)
  const range = { fromMs: timeMs - aroundMs, toMs: timeMs + aroundMs }
  return `${paths.activities({ q, range, columns, event: event.id })}#event-${event.id}`
}
