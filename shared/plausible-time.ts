// Tolerance for the sender's clock. With a larger tolerance, time ranges that end now would not include all events.
const maxAheadMs = 1000
const earliestMs = Date.UTC(2000, 0, 1)

/** The latest time that an event can have. */
export function latestTimeMs(nowMs: number): number {
  return nowMs + maxAheadMs
}

/** Whether an event can have this time: not before 2000, and at most a second after `nowMs`. */
export function isPlausibleTime(timeMs: number, nowMs: number): boolean {
  return timeMs >= earliestMs && timeMs <= latestTimeMs(nowMs)
}
