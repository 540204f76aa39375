import type { LogEvent, NewEvent } from '../../../../shared/event.ts'
import { createTimeSlice } from '../../../time-slice.ts'
import { checkNumbers } from '../../common/check-numbers.ts'
import { wellFormed } from '../../common/well-formed.ts'

/**
 * Assigns ids to events, starting at `firstId`. Yields to other requests regularly.
 * @throws RangeError: see `checkNumbers`
 */
export async function numberEvents(
  events: readonly NewEvent[],
  firstId: number,
  slice = createTimeSlice(),
): Promise<LogEvent[]> {
  const stored: LogEvent[] = []
  for (const event of events) {
    if (slice.isUsedUp()) await slice.yieldToOthers()
    checkNumbers(event)
    stored.push(withId(wellFormed(event), firstId + stored.length))
  }
  return stored
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
