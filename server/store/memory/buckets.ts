import type { LogEvent } from '../../../shared/event.ts'
import type { Window } from '../../../shared/range.ts'
import { bucketCount } from '../buckets.ts'
import { microsOf } from '../common/time.ts'

export function byBucket<Event extends Pick<LogEvent, 'timeMs'>>(
  events: readonly Event[],
  window: Window,
  bucketMs: number,
) {
  const buckets = Array.from(
    { length: bucketCount(window, bucketMs) },
    (_, index): { startMs: number; events: Event[] } => ({
      startMs: window.fromMs + index * bucketMs,
      events: [],
    }),
  )
  for (const event of events) {
    const index = Math.floor((microsOf(event.timeMs) - microsOf(window.fromMs)) / microsOf(bucketMs))
    buckets[index]?.events.push(event)
  }
  return buckets
}

export function firstMs(events: readonly LogEvent[]): number {
  return Math.min(...events.map(({ timeMs }) => timeMs))
}

export function lastMs(events: readonly LogEvent[]): number {
  return Math.max(...events.map(({ timeMs }) => timeMs))
}
