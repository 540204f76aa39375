import type { LogEvent } from '../../../../shared/event.ts'
import { binOf } from '../../common/duration-bins.ts'
import type { EventGroup } from '../../common/metrics/event-block.ts'
import { list, number, numberOrNull, type Row, text, textOrNull } from '../../common/rows.ts'
import { sql } from '../../common/sql.ts'
import { microsOf } from '../../common/time.ts'
import { binAt } from '../sql/duration-band.ts'

/** The fields by which events are grouped in memory. */
export type CachedGroup = Pick<
  EventGroup,
  'service' | 'release' | 'fingerprint' | 'method' | 'route' | 'isRequest' | 'isError'
>

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

/** Returns the bin of each event in a group. @param row contains `duration_band` and the list `bins` */
export function readBins(row: Row): number[] {
  const band = numberOrNull(row.duration_band)
  return list(row.bins, bin => (band === null ? 0 : binAt(band, number(bin))))
}
