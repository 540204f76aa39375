import type { RetentionLimits } from './retention-limits.ts'

/** Facts that may explain why an event was not found. */
export type NotFoundHintsData = RetentionLimits & {
  oldestMs: number | null
  /** Up to ten services, most recently active first. */
  services: { service: string; lastSeenMs: number }[]
}
