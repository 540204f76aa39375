import type { ServiceMetrics } from '../store/event-store.ts'

/** With at least this share of failures, a service is failing; with fewer, it is degraded. */
const failingShare = 0.05

/**
 * Whether a service works, from its open failures and 5xx responses. They are compared with its requests or, if it serves
 * none, with its events.
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
