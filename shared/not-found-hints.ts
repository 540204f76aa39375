import type { RetentionLimits } from './retention-limits.ts'

/** Facts that may explain why an event was not found. */
export type NotFoundHintsData = RetentionLimits & {
  oldestMs: number | null
  /** Whether the visitor may see only some services, so that only their events were searched. */
  isLimited: boolean
  /** Up to ten services, most recently active first. */
  services: { service: string; lastSeenMs: number }[]
}
