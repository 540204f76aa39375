import { type Attributes, type EventRow, eventSources, type LogEvent } from '../../../../shared/event.ts'
import { cut } from '../../common/cut.ts'
import { number, numberOrNull, oneOf, text, textOrNull } from '../../common/rows.ts'
import { join, name, type Sql, sql } from '../../common/sql.ts'
import type { Row } from '../engine/connections.ts'
import { attributeText } from './attribute.ts'
import { readSeverity } from './severity.ts'

/** The columns of an `EventRow`. They contain no expressions, so the engine reads them only for the rows on the page. */
const rowColumns: Sql = sql`id, time_us, severity, service, release, source,
  body, request_id, trace_id, method, route, status, duration_ms, digest, fingerprint,
  exception_type, exception_message`

/** The columns to read for each event, and the function that converts a row. */
export type Shape<Event> = { columns: Sql; read(row: Row): Event }

export const wholeEvent: Shape<LogEvent> = { columns: sql`*`, read: readEvent }

/** The shape of a log row. `attributes` are the paths of the attributes to include. */
export function rowShape(attributes: readonly string[]): Shape<EventRow> {
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

/** @throws TypeError if the row does not have the `rowColumns` */
function readRow(row: Row): EventRow {
  const message = textOrNull(row.exception_message)
  return {
    ...readFields(row),
    body: cut(text(row.body)),
    exceptionMessage: message === null ? null : cut(message),
  }
}

function readFields(row: Row): Omit<EventRow, 'exceptionMessage'> {
  return {
    id: number(row.id),
    timeMs: number(row.time_us) / 1000,
    severity: readSeverity(number(row.severity)),
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

/** @throws TypeError if the row lacks a column */
export function readEvent(row: Row): LogEvent {
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
