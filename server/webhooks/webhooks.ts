import { randomUUID } from 'node:crypto'
import type { Config } from '../config.ts'
import type { Logger } from '../logger.ts'
import type { Store } from '../store/store.ts'
import type { Webhook } from '../store/webhook-store.ts'
import { createDeliveries } from './deliver.ts'
import { messageOf, type Notice } from './message.ts'
import { noticesOfRatios } from './ratio.ts'

/** No webhook gets two messages of one subject within it. */
const quietMs = 3_600_000
const ratiosEveryMs = 60_000

/** Tells the webhooks of what happens. */
export type Webhooks = {
  /** Tells those that want to know of it; resolves once their messages are kept for delivery. */
  notify(notice: Notice): Promise<void>
  /** Sends a test message to a webhook; resolves once it was tried: how it went stands among its deliveries. */
  test(webhook: Webhook): Promise<void>
  stop(): Promise<void>
}

export function createWebhooks(options: {
  store: Pick<Store, 'webhooks' | 'services'>
  config: Pick<Config, 'publicOrigin'>
  logger: Pick<Logger, 'warn' | 'error'>
  nowMs?: () => number
}): Webhooks {
  const { store, config, logger, nowMs = Date.now } = options
  const deliveries = createDeliveries({ store: store.webhooks, logger, nowMs })

  const enqueue = async (webhooks: readonly Webhook[], notice: Notice) => {
    const { subject, body } = messageOf(notice, config.publicOrigin)
    const createdMs = nowMs()
    const messages = webhooks.map(({ id }) => ({
      id: `msg_${randomUUID()}`,
      webhookId: id,
      kind: notice.kind,
      subject,
      body,
      createdMs,
    }))
    return messages.length > 0 && (await store.webhooks.enqueue(messages, createdMs - quietMs)) > 0
  }
  const tell = async (webhooks: readonly Webhook[], notice: Notice) => {
    if (await enqueue(webhooks, notice)) void deliveries.wake()
  }

  const lookAtRatios = async () => {
    try {
      for (const { webhook, notice } of await noticesOfRatios(store, nowMs())) {
        await tell([webhook], notice)
      }
    } catch (err) {
      logger.error({ err }, 'Failed to look for error ratios')
    }
  }
  const timer = setInterval(lookAtRatios, ratiosEveryMs)
  timer.unref()
  // What an earlier process left to deliver.
  void deliveries.wake()

  return {
    async notify(notice) {
      const wanting = (await store.webhooks.list()).filter(webhook => wants(webhook, notice))
      await tell(wanting, notice)
    },
    async test(webhook) {
      await enqueue([webhook], { kind: 'test', webhook: webhook.name })
      await deliveries.wake()
    },
    async stop() {
      clearInterval(timer)
      await deliveries.stop()
    },
  }
}

function wants({ conditions }: Webhook, { kind }: Notice): boolean {
  return (kind === 'new' && conditions.newFailure) || (kind === 'returned' && conditions.returnedFailure)
}
