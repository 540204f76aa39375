import type { WebhookConditions } from '../../shared/webhook.ts'
import type { Store } from '../store/store.ts'
import type { RatioNotice } from './notice.ts'

/** With fewer requests, the error rate is not meaningful. */
const minRequests = 20

/**
 * Returns a notice for each service whose error rate exceeds the limit in a webhook's conditions, most failed requests first:
 * a sender that invents services must send as many failed requests to displace a real one.
 */
export async function errorRatioNotices(
  store: Pick<Store, 'services'>,
  { errorRatio }: Pick<WebhookConditions, 'errorRatio'>,
  nowMs: number,
): Promise<RatioNotice[]> {
  if (errorRatio === null) return []
  const { above, overMinutes } = errorRatio
  const windowMs = overMinutes * 60_000
  const window = { fromMs: nowMs - windowMs, toMs: nowMs }
  const services = await store.services(window, windowMs)
  return services
    .filter(({ requests, errors }) => requests >= minRequests && errors / requests > above)
    .sort((a, b) => b.errors - a.errors)
    .map(({ service, requests, errors }) => {
      return { kind: 'ratio', service, requests, errors, above, overMinutes, window }
    })
}
