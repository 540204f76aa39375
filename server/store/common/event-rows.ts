import { type Attributes, type EventRow, eventSources, type LogEvent } from '../../../shared/event.ts'
import type { Severity } from '../../../shared/severity.ts'
import { cut } from './cut.ts'
import { number, numberOrNull, oneOf, type Row, text, textOrNull } from './rows.ts'
import { join, name, type Sql, sql } from './sql.ts'

/** The columns of an `EventRow`. They contain no expressions, so engines read them only for the rows on the page. */
export const rowColumns: Sql = sql`id, time_us, severity, service, release, source,
  body, request_id, trace_id, method, route, status, duration_ms, digest, fingerprint,
  exception_type, exception_message`

/** The columns to read for each event, and the function that converts a row. It throws a TypeError if a column is missing. */
export type Shape<Event> = {
  columns: Sql
  /** The number of characters of the event's long texts. `null` if all texts are cut. */
  length: Sql | null
  read(row: Row): Event
}

/** The texts without a limit of their own. */
const textLength = sql`(length(body) + length(attributes)
  + coalesce(length(exception_message), 0) + coalesce(length(exception_stack), 0))`

/** The parts that differ between engines. */
type Dialect = {
  /** All columns of an event. */
  eventColumns: Sql
  /** An attribute as text, or null. */
  attributeText(path: string): Sql
  readSeverity(value: unknown): Severity
}

/** Creates the shapes of events and log rows. */
export function createShapes({ eventColumns, attributeText, readSeverity }: Dialect): {
  wholeEvent: Shape<LogEvent>
  /** `attributes` are the paths of the attributes to include. */
  rowShape(attributes?: readonly string[]): Shape<EventRow>
} {
  const readFields = (row: Row): Omit<EventRow, 'exceptionMessage'> => ({
    id: number(row.id),
    timeMs: number(row.time_us) / 1000,
    severity: readSeverity(row.severity),
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
  })

  const readRow = (row: Row): EventRow => {
    const message = textOrNull(row.exception_message)
    return {
      ...readFields(row),
      body: cut(text(row.body)),
      exceptionMessage: message === null ? null : cut(message),
    }
  }

  const readEvent = (row: Row): LogEvent => {
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

  return {
    wholeEvent: { columns: eventColumns, length: textLength, read: readEvent },
    rowShape(attributes = []) {
      if (attributes.length === 0) return { columns: rowColumns, length: null, read: readRow }
      const aliased = attributes.map((path, index) => ({ path, alias: `attribute_${index}` }))
      const columns = aliased.map(({ path, alias }) => sql`${attributeText(path)} AS ${name(alias)}`)
      return {
        columns: join([rowColumns, ...columns], ', '),
        length: null,
        read: row => {
          const texts = aliased.flatMap(({ path, alias }) => {
            const value = textOrNull(row[alias])
            return value === null ? [] : [[path, cut(value)]]
          })
          return { ...readRow(row), attributeTexts: Object.fromEntries(texts) }
        },
      }
    },
  }
}
