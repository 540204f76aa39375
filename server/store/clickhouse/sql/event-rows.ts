import type { LogEvent } from '../../../../shared/event.ts'
import { severities } from '../../../../shared/severity.ts'
import { createShapes, rowColumns } from '../../common/event-rows.ts'
import { oneOf } from '../../common/rows.ts'
import { sql } from '../../common/sql.ts'
import { microsOf } from '../../common/time.ts'
import type { Columns } from '../engine/insert.ts'
import { attributeText } from './attribute.ts'
import { attributesJson } from './attributes-json.ts'

export const { rowShape, wholeEvent } = createShapes({
  eventColumns: sql`${rowColumns}, span_id, exception_stack, attributes`,
  attributeText,
  readSeverity: value => oneOf(severities, value),
})

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
    attributesJson(event.attributes),
    requestKeys,
  ]
}
