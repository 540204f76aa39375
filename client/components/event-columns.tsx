import type { ReactNode } from 'react'
import type { Column, ColumnName } from '../../shared/columns.ts'
import type { EventRow } from '../../shared/event.ts'
import { formatDuration } from '../../shared/format.ts'
import { isolated } from './isolated.tsx'
import { plainText } from './plain-text.ts'
import { SeverityLabel } from './severity-label.tsx'

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

/** The CSS class of a column. */
export function columnClass(column: Column): string {
  return 'field' in column ? `events-${column.field}` : 'events-attribute'
}

export function columnTitle(column: Column): string {
  return 'field' in column ? titles[column.field] : plainText(column.attribute)
}

/** A cell in an event's row. `message` is the content of the message column. A tooltip shows text that may be cut off. */
export function Cell(props: { column: Column; event: EventRow; message: ReactNode }) {
  const { column, event, message } = props
  const text = plainTextOf(column, event)
  return (
    <td
      className={columnClass(column) + (isField(column, 'duration') ? ' num' : '')}
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

function renderCell(column: Column, { severity, method, status, durationMs }: EventRow, text: string | null) {
  if (isField(column, 'severity')) return <SeverityLabel severity={severity} />
  if (isField(column, 'status'))
    return (
      status !== null && (status < 400 ? status : <span data-class={Math.floor(status / 100)}>{status}</span>)
    )
  if (isField(column, 'duration')) return durationMs !== null && formatDuration(durationMs)
  if (text === null) return null
  return isolated(isField(column, 'route') && method !== null ? `${method} ${text}` : text)
}
