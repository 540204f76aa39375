import type { ReactNode } from 'react'
import type { Column, ColumnName } from '../../shared/columns.ts'
import type { EventRow } from '../../shared/event.ts'
import { formatDuration } from '../../shared/format.ts'
import { isFailureSeverity, type Severity } from '../../shared/severity.ts'
import { isolated } from './isolated.tsx'
import { plainText } from './plain-text.ts'
import { truncateMiddle } from './truncate-middle.ts'

/** Shorter text fits into the narrowest column and does not need a tooltip. */
const minTooltipLength = 8
/** The width of an average character in the route column. */
const characterPx = 7.2

const titles: Record<ColumnName, string> = {
  severity: 'Severity',
  service: 'Service',
  message: 'Message',
  route: 'Route',
  status: 'Status',
  duration: 'Duration',
  release: 'Release',
  source: 'Source',
  request: 'Request',
  trace: 'Trace',
  digest: 'Digest',
}

/** Column titles by key. */
export const columnTitles: ReadonlyMap<string, string> = new Map(Object.entries(titles))

/** The field that a column shows, or `attribute`. */
export function fieldOf(column: Column): ColumnName | 'attribute' {
  return 'field' in column ? column.field : 'attribute'
}

/**
 * CSS classes for the cells of some columns. To keep pages small, all other cells have no class: they are styled as plain
 * text, or the style sheet recognises them by their content.
 */
export const cellClasses: Partial<Record<ColumnName | 'attribute', string>> = {
  service: 'service',
  route: 'route',
  status: 'status',
  duration: 'num',
  request: 'id',
  trace: 'id',
  digest: 'id',
  attribute: 'attribute',
}

export function columnTitle(column: Column): string {
  return 'field' in column ? titles[column.field] : plainText(column.attribute)
}

/** A cell in an event's row. `message` is the content of the message column. A tooltip shows text that may be cut off. */
export function Cell(props: { column: Column; event: EventRow; message: ReactNode }) {
  const { column, event, message } = props
  const field = fieldOf(column)
  const { severity, status, durationMs, method } = event
  if (field === 'severity') return isSevere(severity) ? <td data-severity={severity}>{severity}</td> : <td />
  if (field === 'message') return <td>{message}</td>
  if (field === 'status')
    return (
      <td className="status" data-error={status !== null && status >= 400 ? status : undefined}>
        {status}
      </td>
    )
  if (field === 'duration')
    return <td className="num">{durationMs !== null && formatDuration(durationMs)}</td>
  const text = plainTextOf(column, event)
  const tooltip = text === null || text.length < minTooltipLength ? undefined : text
  return (
    <td className={cellClasses[field]} title={tooltip}>
      {text !== null && isolated(field === 'route' ? routeText(method, text, column.widthPx) : text)}
    </td>
  )
}

/** The method and route of a request, cut to fit the column. */
function routeText(method: string | null, route: string, widthPx: number | null): string {
  return truncateMiddle(
    method === null ? route : `${method} ${route}`,
    Math.floor((widthPx ?? 160) / characterPx),
  )
}

/** Whether a column shows anything for an event. */
export function hasText(column: Column, event: EventRow): boolean {
  switch (fieldOf(column)) {
    case 'message':
      return true
    case 'severity':
      return isSevere(event.severity)
    case 'status':
      return event.status !== null
    case 'duration':
      return event.durationMs !== null
    default:
      return (plainTextOf(column, event) ?? '') !== ''
  }
}

/** Whether the log shows a severity as a word. For lower severities, the bar at the start of the row is enough. */
function isSevere(severity: Severity): boolean {
  return severity === 'warn' || isFailureSeverity(severity)
}

/** Returns the full text of a plain-text cell; `null` or empty if the event has none. */
function plainTextOf(column: Column, event: EventRow): string | null {
  if ('attribute' in column) {
    const { attributeTexts: texts = {} } = event
    // Objects inherit values for names such as `constructor`.
    return Object.hasOwn(texts, column.attribute) ? plainText(texts[column.attribute] ?? '') : ''
  }
  const { service, route, release, source, requestId: request, traceId: trace, digest } = event
  const values: Partial<Record<ColumnName, string | null>> = {
    service,
    route,
    release,
    source,
    request,
    trace,
    digest,
  }
  const text = values[column.field] ?? null
  return text === null ? null : plainText(text)
}
