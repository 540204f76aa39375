import {
  type AttributeKey,
  type Column,
  columnKey,
  parseColumns,
  writeColumns,
} from '../../../shared/columns.ts'
import type { EventRow } from '../../../shared/event.ts'
import { paths } from '../../../shared/paths.ts'
import type { Window } from '../../../shared/range.ts'
import type { ActivitiesContent } from '../../../shared/screens/activities.ts'
import { joinUrl, splitUrl } from '../../../shared/split-url.ts'

/** The content fields that links to the log preserve or replace. */
export type View = Pick<ActivitiesContent, 'q' | 'range' | 'urlColumns' | 'facet'>
type LogPage = Pick<ActivitiesContent, 'logHref'>

/** URL of another search over the same range. */
export function hrefOfSearch({ range, urlColumns: columns, facet }: View, q: string): string {
  return paths.activities({ q, range, columns, facet })
}

/** URL of the same search with the values of an attribute counted. */
export function hrefOfCounts({ q, range, urlColumns: columns }: View, facet: AttributeKey): string {
  return `${paths.activities({ q, range, columns, facet })}#filters`
}

/** URL of the same search over another window. */
export function hrefOfWindow({ q, urlColumns: columns, facet }: View, range: Window): string {
  return paths.activities({ q, range, columns, facet })
}

/** URL of the same page with another open event. After a full page load, the hash moves the focus to the event. */
export function hrefOfEvent({ logHref }: LogPage, { id }: Pick<EventRow, 'id'>): string {
  return `${logHref}&event=${id}#event`
}

/** URL of the same page without the open event, scrolled to its row. */
export function hrefWithoutEvent({ logHref }: LogPage, { id }: Pick<EventRow, 'id'>): string {
  return `${logHref}#event-${id}`
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

/** URL of the same page with an additional column for an attribute; `null` if the log cannot have it, or has it already. */
export function hrefWithColumn(
  { logHref, columns }: LogPage & Pick<ActivitiesContent, 'columns'>,
  event: Pick<EventRow, 'id'>,
  key: AttributeKey,
): string | null {
  const hasColumn = (each: readonly Column[]) => each.some(column => columnKey(column) === key)
  const text = `${writeColumns(columns)},${key}`
  if (hasColumn(columns) || !hasColumn(parseColumns(text))) return null
  const { path, params } = splitUrl(logHref)
  params.set('columns', text)
  return hrefOfEvent({ logHref: joinUrl(path, params) }, event)
}
