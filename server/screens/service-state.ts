import { failingShare } from '../../shared/failing-share.ts'
import type { ServiceMetrics } from '../store/event-store.ts'

/**
 * Returns the state of a service. Compares the number of its 5xx responses or of its open failures' occurrences, whichever
 * is greater, with the number of its requests or, if it serves none, of its events.
 */
export function serviceStateOf({
  requests,
  events,
  errors,
  failures,
}: Pick<ServiceMetrics, 'requests' | 'events' | 'errors' | 'failures'>): 'ok' | 'degraded' | 'failing' {
  const worst = Math.max(errors, failures)
  if (worst === 0) return 'ok'
  return worst >= failingShare * (requests > 0 ? requests : events) ? 'failing' : 'degraded'
}
