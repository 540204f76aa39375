import { pluralise } from '../../shared/format.ts'
import type { LiveSettings } from '../settings/live-settings.ts'
import { retentionOf } from '../settings/runtime-settings.ts'
import type { CollectOptions } from './collect-events.ts'

/** Returns the age limit for events, based on the current retention period. */
export function retentionLimitOf(
  settings: Pick<LiveSettings, 'current'>,
  nowMs: number,
): Pick<CollectOptions, 'oldestMs' | 'tooOldReason'> {
  const current = settings.current()
  return {
    oldestMs: nowMs - retentionOf(current).maxAgeMs,
    tooOldReason: `The event is older than the retention period of ${pluralise(current.retentionDays, 'day')}`,
  }
}
