import type { LogEvent } from './event.ts'

/**
 * Returns the start time of an event. An event with a duration is logged at its end: servers log a request when they
 * respond, and a span becomes an event when it ends (server/ingest/otlp/span-events.ts).
 */
export function startOf({ timeMs, durationMs }: Pick<LogEvent, 'timeMs' | 'durationMs'>): number {
  return durationMs !== null && durationMs > 0 ? timeMs - durationMs : timeMs
}
