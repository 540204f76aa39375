import type { ReactNode } from 'react'
import type { Column, ColumnName } from '../../shared/columns.ts'
import type { EventRow } from '../../shared/event.ts'
import { formatDuration } from '../../shared/format.ts'
import { plainText } from './plain-text.ts'
import { SeverityLabel } from './severity-label.tsx'

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

/** The head of each column by its key. */
export const columnTitles: ReadonlyMap<string, string> = new Map(Object.entries(titles))

/** What the styles know a column by. */
export function columnClass(column: Column): string {
  return 'field' in column ? `events-${column.field}` : 'events-attribute'
}

export function columnTitle(column: Column): string {
  return 'field' in column ? titles[column.field] : plainText(column.attribute)
}

/** A cell of a row; what it cuts off stands in its title. `message` is what the column of the message shows. */
export function Cell(props: { column: Column; event: EventRow; message: ReactNode }) {
  const { column, event, message } = props
  const text = textOf(column, event)
  return (
    <td
      className={columnClass(column) + (isOf(column, 'duration') ? ' num' : '')}
      title={text === null || text === '' ? undefined : text}
    >
      {isOf(column, 'message') ? message : drawn(column, event, text)}
    </td>
  )
}

export function isOf(column: Column, field: ColumnName): boolean {
  return 'field' in column && column.field === field
}

/** The whole text of a column that may be cut off, or `null` where it is more than its text. */
function textOf(column: Column, event: EventRow): string | null {
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

function drawn(column: Column, { severity, method, status, durationMs }: EventRow, text: string | null) {
  if (isOf(column, 'severity')) return <SeverityLabel severity={severity} />
  if (isOf(column, 'status'))
    return status !== null && <span data-class={Math.floor(status / 100)}>{status}</span>
  if (isOf(column, 'duration')) return durationMs !== null && formatDuration(durationMs)
  if (text === null) return null
  return <bdi>{isOf(column, 'route') && method !== null ? `${method} ${text}` : text}</bdi>
}
