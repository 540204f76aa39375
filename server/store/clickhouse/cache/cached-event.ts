import type { LogEvent } from '../../../../shared/event.ts'
import { binOf } from '../../common/duration-bins.ts'
import { number, type Row, text, textOrNull } from '../../common/rows.ts'
import { sql } from '../../common/sql.ts'
import { microsOf } from '../../common/time.ts'

/** The fields by which events are grouped in memory. */
export type CachedGroup = {
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
export type CachedEvent = {
  id: number
  timeUs: number
  /** The bin of a request's duration (`duration-bins.ts`); 0 for other events. */
  bin: number
  group: CachedGroup
  /** The outermost keys of the attributes. */
  attributeKeys: readonly string[]
}

export function cachedEvent(event: LogEvent): CachedEvent {
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

/** The columns of `groupKeys` in the event table. */
export const groupColumns = sql`service, release, fingerprint, method, route, duration_band, status >= 500 AS failed`

/** The columns by which events are grouped. */
export const groupKeys = sql`service, release, fingerprint, method, route, duration_band, failed`

/** @param row contains the columns of `groupKeys` */
export function readGroup(row: Row): CachedGroup {
  const isRequest = row.duration_band !== null
  return {
    service: text(row.service),
    release: textOrNull(row.release),
    fingerprint: textOrNull(row.fingerprint),
    method: textOrNull(row.method),
    route: textOrNull(row.route),
    isRequest,
    isError: isRequest && number(row.failed) === 1,
  }
}
