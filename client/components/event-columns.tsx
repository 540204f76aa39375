import type { ReactNode } from 'react'
import type { Column, ColumnName } from '../../shared/columns.ts'
import type { EventRow } from '../../shared/event.ts'
import { formatDuration } from '../../shared/format.ts'
import { isolated } from './isolated.tsx'
import { plainText } from './plain-text.ts'

/** Shorter text fits into the narrowest column, so it needs no tooltip. */
const minTooltipLength = 8

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

/**
 * The CSS classes of columns. Cells of other columns have no class, because a page has hundreds of cells: they look like
 * plain text, or the style sheet recognises them by their content.
 */
const cellClasses: Partial<Record<ColumnName | 'attribute', string>> = {
  service: 'service',
  route: 'route',
  status: 'status',
  duration: 'num',
  request: 'id',
  trace: 'id',
  digest: 'id',
  attribute: 'attribute',
}

/** The CSS class of a column's cells. */
export function cellClass(column: Column): string | undefined {
  return cellClasses['field' in column ? column.field : 'attribute']
}

export function columnTitle(column: Column): string {
  return 'field' in column ? titles[column.field] : plainText(column.attribute)
}

/** A cell in an event's row. `message` is the content of the message column. A tooltip shows text that may be cut off. */
export function Cell(props: { column: Column; event: EventRow; message: ReactNode }) {
  const { column, event, message } = props
  if (isField(column, 'severity')) return <td data-severity={event.severity}>{event.severity}</td>
  const text = plainTextOf(column, event)
  return (
    <td
      className={cellClass(column)}
      data-class={isField(column, 'status') ? errorClass(event) : undefined}
      title={text === null || text.length < minTooltipLength ? undefined : text}
    >
      {isField(column, 'message') ? message : renderCell(column, event, text)}
    </td>
  )
}

export function isField(column: Column, field: ColumnName): boolean {
  return 'field' in column && column.field === field
}

/** Returns the full text of a plain-text cell, or `null` for other cells. */
function plainTextOf(column: Column, event: EventRow): string | null {
  if ('attribute' in column) return plainText(event.attributeTexts?.[column.attribute] ?? '')
  const { service, route, release, source, requestId, traceId, digest } = event
  const texts: Partial<Record<ColumnName, string | null>> = {
    service,
    route,
    release,
    source,
    request: requestId,
    trace: traceId,
    digest,
  }
  const text = texts[column.field] ?? null
  return text === null ? null : plainText(text)
}

/** Returns the first digit of an error status. */
function errorClass({ status }: EventRow): number | undefined {
  return status === null || status < 400 ? undefined : Math.floor(status / 100)
}

function renderCell(column: Column, { method, status, durationMs }: EventRow, text: string | null) {
  if (isField(column, 'status')) return status
  if (isField(column, 'duration')) return durationMs !== null && formatDuration(durationMs)
  if (text === null) return null
  return isolated(isField(column, 'route') && method !== null ? `${method} ${text}` : text)
}
