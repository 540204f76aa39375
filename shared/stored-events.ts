/** What is stored, and for how long: explains why an event may be missing. */
export type KeptEvents = {
  /** The retention limits. */
  maxAgeMs: number
  maxBytes: number
  oldestMs: number | null
  /** The most recently active services, at most ten. */
  services: { service: string; lastSeenMs: number }[]
}
