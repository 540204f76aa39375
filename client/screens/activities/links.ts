import { columnKey, writeColumns } from '../../../shared/columns.ts'
import type { EventRow } from '../../../shared/event.ts'
import { paths } from '../../../shared/paths.ts'
import type { Window } from '../../../shared/range.ts'
import type { ActivitiesContent } from '../../../shared/screens/activities.ts'

/** The content fields that links to the log preserve or replace. */
export type View = Pick<ActivitiesContent, 'q' | 'range' | 'cursor' | 'urlColumns'>

/** URL of another search over the same range. */
export function hrefOfSearch({ range, urlColumns: columns }: View, q: string): string {
  return paths.activities({ q, range, columns })
}

/** URL of the same search over another window. */
export function hrefOfWindow({ q, urlColumns: columns }: View, range: Window): string {
  return paths.activities({ q, range, columns })
}

/** URL of the same page with another open event. After a full page load, the hash moves the focus to the event. */
export function hrefOfEvent(
  { q, range, cursor, urlColumns: columns }: View,
  { id }: Pick<EventRow, 'id'>,
): string {
  return `${paths.activities({ q, range, ...cursor, columns, event: id })}#event`
}

/** URL of the same page without the open event, scrolled to its row. */
export function hrefWithoutEvent(
  { q, range, cursor, urlColumns: columns }: View,
  { id }: Pick<EventRow, 'id'>,
): string {
  return `${paths.activities({ q, range, ...cursor, columns })}#event-${id}`
}

/** URL of the results of `q` around the open event, scrolled to its row. */
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

/** URL of the same page with an additional column for an attribute; `null` if the log already has this column. */
export function hrefWithColumn(
  { q, range, cursor, columns }: View & Pick<ActivitiesContent, 'columns'>,
  { id }: Pick<EventRow, 'id'>,
  key: string,
): string | null {
  if (columns.some(column => columnKey(column) === key)) return null
  const all = `${writeColumns(columns)},${key}`
  return `${paths.activities({ q, range, ...cursor, columns: all, event: id })}#event`
}
