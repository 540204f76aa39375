/** Which events are stored, and for how long; shown if an event was not found. */
export type StoredEvents = {
  /** The retention limits. */
  maxAgeMs: number
  maxBytes: number
  oldestMs: number | null
  /** The most recently active services, at most ten. */
  services: { service: string; lastSeenMs: number }[]
}
