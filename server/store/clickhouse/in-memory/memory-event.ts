import type { LogEvent } from '../../../../shared/event.ts'
import { binOf } from '../../common/duration-bins.ts'
import { list, number, type Row, text, textOrNull } from '../../common/rows.ts'
import { sql } from '../../common/sql.ts'
import { microsOf } from '../../common/time.ts'
import { binAt } from '../sql/duration-band.ts'

/** The fields by which events are grouped in memory. */
export type MemoryGroup = {
  service: string
  release: string | null
  fingerprint: string | null
  method: string | null
  route: string | null
  /** Whether the events are requests: events with a status and a duration. */
  isRequest: boolean
  /** Whether the events are requests with status 500 or above. */
  isError: boolean
}

/** A stored event without its texts. */
export type MemoryEvent = {
  id: number
  timeUs: number
  /** The bin of a request's duration (`duration-bins.ts`); 0 for other events. */
  bin: number
  group: MemoryGroup
  /** The outermost keys of the attributes. */
  attributeKeys: readonly string[]
}

export function memoryEvent(event: LogEvent): MemoryEvent {
  const { id, timeMs, service, release, fingerprint, method, route, status, durationMs } = event
  const isRequest = status !== null && durationMs !== null
  return {
    id,
    timeUs: microsOf(timeMs),
    bin: isRequest ? binOf(durationMs) : 0,
    attributeKeys: Object.keys(event.attributes),
    group: {
      ...{ service, release, fingerprint, method, route, isRequest },
      isError: isRequest && status >= 500,
    },
  }
}

/** The columns by which events are grouped. */
export const groupColumns = sql`service, release, fingerprint, method, route, duration_band, status >= 500 AS failed`

export function readGroup(row: Row): MemoryGroup {
  const isRequest = row.duration_band !== null
  return {
    service: text(row.service),
    release: textOrNull(row.release),
    fingerprint: textOrNull(row.fingerprint),
    method: textOrNull(row.method),
    route: textOrNull(row.route),
    isRequest,
    isError: isRequest && isTrue(row.failed),
  }
}

export const eventColumns = sql`id, time_us, duration_bin, JSONExtractKeys(attributes) AS attribute_keys, ${groupColumns}`

/** @param row the `eventColumns` of an event */
export function readMemoryEvent(row: Row): MemoryEvent {
  const group = readGroup(row)
  const bin = group.isRequest ? binAt(number(row.duration_band), number(row.duration_bin)) : 0
  const attributeKeys = list(row.attribute_keys, text)
  return { id: number(row.id), timeUs: number(row.time_us), bin, group, attributeKeys }
}

/** ClickHouse returns the result of a comparison as a number. */
function isTrue(value: unknown): boolean {
  return value === 1 || value === true
}
