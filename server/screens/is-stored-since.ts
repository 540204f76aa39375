import type { Context } from '../context.ts'
import { retentionOf } from '../settings/runtime-settings.ts'
import type { SeenSource } from '../store/event-store.ts'

/**
 * Whether all events since a time are stored: the oldest event is at least as old, and retention does not delete events since
 * then. An event with a wrong time can be the oldest. This is ignored, because ingest rejects events that are older than the
 * retention period, so the error cannot exceed that period.
 */
export function isStoredSince(
  timeMs: number,
  {
    seenSources,
    settings,
    nowMs,
  }: { seenSources: readonly SeenSource[]; nowMs: number } & Pick<Context, 'settings'>,
): boolean {
  const isRetained = timeMs >= nowMs - retentionOf(settings.current()).maxAgeMs
  return isRetained && seenSources.some(({ firstSeenMs }) => firstSeenMs <= timeMs)
}
