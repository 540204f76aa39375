/** Of whom and from when on events are kept: where to look when one is missed. */
export type KeptEvents = {
  /** The retention: how old events get, and how much of them there may be. */
  maxAgeMs: number
  maxBytes: number
  oldestMs: number | null
  /** Those that were heard of last, newest first, at most ten. */
  services: { service: string; lastSeenMs: number }[]
}
