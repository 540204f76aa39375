import type { NewEvent } from '../../shared/event.ts'
import { retentionOf, textsOf } from '../settings/runtime-settings.ts'
import type { Settings } from '../settings/service-settings.ts'

/** Why an event is not kept, or `null`. */
export type WhyTooOld = (event: Pick<NewEvent, 'timeMs'>) => string | null

/** Gives what tells of events that the retention, as it is set now, would drop at once: their sender should know. */
export function createWhyTooOld(settings: Pick<Settings, 'current'>, nowMs: number): WhyTooOld {
  const current = settings.current()
  const oldestMs = nowMs - retentionOf(current).maxAgeMs
  const days = textsOf(current).retentionDays
  const reason = `The event is older than what is kept: ${days} ${days === '1' ? 'day' : 'days'}`
  return ({ timeMs }) => (timeMs < oldestMs ? reason : null)
}
