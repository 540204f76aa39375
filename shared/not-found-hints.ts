import type { RetentionLimits } from './retention-limits.ts'

/** Which events are stored, and for how long: the data for hints why an event was not found. */
export type NotFoundHintsData = RetentionLimits & {
  oldestMs: number | null
  /** The most recently active services, at most ten. */
  services: { service: string; lastSeenMs: number }[]
}
