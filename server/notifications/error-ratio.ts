import type { Store } from '../store/store.ts'
import type { Webhook } from '../store/webhook-store.ts'
import type { Notice } from './notice.ts'

/** With fewer requests, the error rate is not meaningful. */
const minRequests = 20

/** Returns a notice for each webhook and service whose error rate exceeds the webhook's limit. */
export async function errorRatioNotices(
  store: Pick<Store, 'webhooks' | 'services'>,
  nowMs: number,
): Promise<{ webhook: Webhook; notice: Notice }[]> {
  const notices: { webhook: Webhook; notice: Notice }[] = []
  for (const webhook of await store.webhooks.list()) {
    const { errorRatio } = webhook.conditions
    if (errorRatio === null) continue
    const { above, overMinutes } = errorRatio
    const windowMs = overMinutes * 60_000
    const window = { fromMs: nowMs - windowMs, toMs: nowMs }
    const services = await store.services(window, windowMs)
    for (const { service, requests, errors } of services) {
      if (requests < minRequests || errors / requests <= above) continue
      notices.push({
        webhook,
        notice: { kind: 'ratio', service, requests, errors, above, overMinutes, window },
      })
    }
  }
  return notices
}
