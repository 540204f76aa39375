import type { ServiceMetrics } from '../store/event-store.ts'

/** A service with at least this share of failures is failing; one with fewer is degraded. */
const failingShare = 0.05

/**
 * Returns the state of a service. Compares its 5xx responses or the occurrences of its open failures, whichever are more,
 * with its requests or, if it serves none, with its events.
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
