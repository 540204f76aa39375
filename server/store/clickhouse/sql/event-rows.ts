import { type Attributes, type EventRow, eventSources, type LogEvent } from '../../../../shared/event.ts'
import { severities } from '../../../../shared/severity.ts'
import { cut } from '../../common/cut.ts'
import { number, numberOrNull, oneOf, text, textOrNull } from '../../common/rows.ts'
import { join, name, type Sql, sql } from '../../common/sql.ts'
import { microsOf } from '../../common/time.ts'
import type { Columns, Row } from '../engine/connection.ts'
import { attributeText } from './attribute.ts'

const rowColumns: Sql = sql`id, time_us, severity, service, release, source, body, request_id, trace_id, method,
  route, status, duration_ms, digest, fingerprint, exception_type, exception_message`

/** The columns to read for each event, and the function that converts a row. */
export type Shape<Event> = { columns: Sql; read(row: Row): Event }

export const wholeEvent: Shape<LogEvent> = {
  columns: sql`${rowColumns}, span_id, exception_stack, attributes`,
  read: readEvent,
}

/** The shape of a log row. `attributes` are the paths of the attributes to include. */
export function rowShape(attributes: readonly string[] = []): Shape<EventRow> {
  if (attributes.length === 0) return { columns: rowColumns, read: readRow }
  const aliased = attributes.map((path, index) => ({ path, alias: `attribute_${index}` }))
  const columns = aliased.map(({ path, alias }) => sql`${attributeText(path)} AS ${name(alias)}`)
  return {
    columns: join([rowColumns, ...columns], ', '),
    read: row => {
      const texts = aliased.flatMap(({ path, alias }) => {
        const value = textOrNull(row[alias])
        return value === null ? [] : [[path, cut(value)]]
      })
      return { ...readRow(row), attributeTexts: Object.fromEntries(texts) }
    },
  }
}

function readFields(row: Row): Omit<EventRow, 'exceptionMessage'> {
  return {
    id: number(row.id),
    timeMs: number(row.time_us) / 1000,
    severity: oneOf(severities, row.severity),
    service: text(row.service),
    release: textOrNull(row.release),
    source: oneOf(eventSources, row.source),
    body: text(row.body),
    requestId: textOrNull(row.request_id),
    traceId: textOrNull(row.trace_id),
    method: textOrNull(row.method),
    route: textOrNull(row.route),
    status: numberOrNull(row.status),
    durationMs: numberOrNull(row.duration_ms),
    digest: textOrNull(row.digest),
    fingerprint: textOrNull(row.fingerprint),
    exceptionType: textOrNull(row.exception_type),
  }
}

function readRow(row: Row): EventRow {
  const message = textOrNull(row.exception_message)
  return {
    ...readFields(row),
    body: cut(text(row.body)),
    exceptionMessage: message === null ? null : cut(message),
  }
}

function readEvent(row: Row): LogEvent {
  const { exceptionType, ...event } = readFields(row)
  const attributes: Attributes = JSON.parse(text(row.attributes))
  return {
    ...event,
    spanId: textOrNull(row.span_id),
    exception:
      exceptionType === null
        ? null
        : {
            type: exceptionType,
            message: text(row.exception_message),
            stack: textOrNull(row.exception_stack),
          },
    attributes,
  }
}

/** The columns of `storedRow`. */
export const storedColumns: Columns = [
  'id',
  'time_us',
  'severity',
  'service',
  'release',
  'source',
  'body',
  'request_id',
  'trace_id',
  'span_id',
  'method',
  'route',
  'status',
  'duration_ms',
  'exception_type',
  'exception_message',
  'exception_stack',
  'digest',
  'fingerprint',
  'attributes',
  'request_keys',
]

/** The row of an event. */
export function storedRow(event: LogEvent, requestKeys: readonly string[]): unknown[] {
  const { exception } = event
  return [
    event.id,
    microsOf(event.timeMs),
    event.severity,
    event.service,
    event.release,
    event.source,
    event.body,
    event.requestId,
    event.traceId,
    event.spanId,
    event.method,
    event.route,
    event.status,
    event.durationMs,
    exception?.type ?? null,
    exception?.message ?? null,
    exception?.stack ?? null,
    event.digest,
    event.fingerprint,
    JSON.stringify(event.attributes),
    requestKeys,
  ]
}
