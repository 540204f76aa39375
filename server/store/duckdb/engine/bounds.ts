import type { LogEvent } from '../../../../shared/event.ts'
import { microsOf } from '../../common/time.ts'

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

/** @param events events in the order of their ids */
export function boundsOf(events: readonly LogEvent[]): Bounds {
  let [fromUs, toUs] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { timeMs } of events) {
    const timeUs = microsOf(timeMs)
    if (timeUs < fromUs) fromUs = timeUs
    if (timeUs > toUs) toUs = timeUs
  }
  return {
    events: events.length,
    fromUs,
    toUs,
    firstId: events[0]?.id ?? 0,
    lastId: events.at(-1)?.id ?? 0,
    lastFailureId: events.findLast(({ fingerprint }) => fingerprint !== null)?.id ?? null,
  }
}
