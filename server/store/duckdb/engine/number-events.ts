import type { LogEvent, NewEvent } from '../../../../shared/event.ts'
import { createTimeSlice } from '../../../time-slice.ts'
import { microsOf } from '../../common/time.ts'
import { wellFormed } from '../../common/well-formed.ts'

/** The number of events, and their time and id ranges. If there are no events, the times are `Infinity` and `-Infinity`. */
export type Bounds = {
  events: number
  fromUs: number
  toUs: number
  firstId: number
  lastId: number
  /** The id of the last event with a fingerprint. */
  lastFailureId: number | null
}

/**
 * Assigns ids to events, starting at `firstId`, and computes their bounds. Yields to other requests regularly.
 * @throws RangeError if a time in microseconds is not a safe integer
 */
export async function numberEvents(
  events: readonly NewEvent[],
  firstId: number,
  slice = createTimeSlice(),
): Promise<{ stored: LogEvent[]; bounds: Bounds }> {
  const stored: LogEvent[] = []
  let lastFailureId: number | null = null
  let [fromUs, toUs] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const event of events) {
    if (slice.isUsedUp()) await slice.yieldToOthers()
    const timeUs = microsOf(event.timeMs)
    if (!Number.isSafeInteger(timeUs)) throw new RangeError('The time of an event is out of range')
    if (timeUs < fromUs) fromUs = timeUs
    if (timeUs > toUs) toUs = timeUs
    const id = firstId + stored.length
    if (event.fingerprint !== null) lastFailureId = id
    stored.push(withId(wellFormed(event), id))
  }
  const lastId = firstId + stored.length - 1
  return { stored, bounds: { events: stored.length, fromUs, toUs, firstId, lastId, lastFailureId } }
}

/** Copies an event field by field. Spread syntax creates an object whose fields are slow to read. */
function withId(event: NewEvent, id: number): LogEvent {
  return {
    id,
    timeMs: event.timeMs,
    severity: event.severity,
    service: event.service,
    release: event.release,
    source: event.source,
    body: event.body,
    requestId: event.requestId,
    traceId: event.traceId,
    spanId: event.spanId,
    method: event.method,
    route: event.route,
    status: event.status,
    durationMs: event.durationMs,
    exception: event.exception,
    digest: event.digest,
    fingerprint: event.fingerprint,
    attributes: event.attributes,
  }
}
