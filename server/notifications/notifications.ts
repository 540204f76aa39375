import { randomUUID } from 'node:crypto'
import type { Logger } from '../logger.ts'
import type { Config } from '../settings/config.ts'
import type { Store } from '../store/store.ts'
import type { Webhook } from '../store/webhook-store.ts'
import type { Channel } from './channel.ts'
import { createDeliveries } from './deliver.ts'
import { errorRatioNotices } from './error-ratio.ts'
import { describeNotice, type Notice } from './notice.ts'

/** Minimum time between a webhook's messages about the same subject. */
const minRepeatMs = 3_600_000
const checkRatiosEveryMs = 60_000

/** Notifies users through a channel. */
export type Notifications = {
  /** Notifies all webhooks with matching conditions. Resolves once their messages are stored for delivery. */
  notify(notice: Notice): Promise<void>
  /** Sends a test message once. Resolves when the webhook's delivery log contains the result. */
  test(webhook: Webhook): Promise<void>
  stop(): Promise<void>
}

/** Starts notifications: delivers pending messages, and checks error rates every minute. */
export function createNotifications(options: {
  store: Pick<Store, 'webhooks' | 'services'>
  channel: Channel
  config: Pick<Config, 'publicOrigin'>
  logger: Pick<Logger, 'warn' | 'error'>
  nowMs?: () => number
}): Notifications {
  const { store, channel, config, logger, nowMs = Date.now } = options
  const deliveries = createDeliveries({ store: store.webhooks, channel, logger, nowMs })

  const enqueue = async (webhooks: readonly Webhook[], notice: Notice) => {
    const description = describeNotice(notice)
    const body = channel.format(notice.kind, description, config.publicOrigin)
    const createdMs = nowMs()
    const messages = webhooks.map(({ id }) => ({
      id: `msg_${randomUUID()}`,
      webhookId: id,
      kind: notice.kind,
      subject: description.subject,
      body,
      createdMs,
    }))
    return messages.length > 0 && (await store.webhooks.enqueue(messages, createdMs - minRepeatMs)) > 0
  }
  const send = async (webhooks: readonly Webhook[], notice: Notice) => {
    if (await enqueue(webhooks, notice)) void deliveries.wake()
  }

  const checkRatios = async () => {
    try {
      for (const { webhook, notice } of await errorRatioNotices(store, nowMs())) {
        await send([webhook], notice)
      }
    } catch (err) {
      logger.error({ err }, 'Failed to check error ratios')
    }
  }
  const timer = setInterval(checkRatios, checkRatiosEveryMs)
  timer.unref()
  // Delivers messages left by the previous process.
  void deliveries.wake()

  return {
    async notify(notice) {
      const matching = (await store.webhooks.list()).filter(webhook => matches(webhook, notice))
      await send(matching, notice)
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

function matches({ conditions }: Webhook, { kind }: Notice): boolean {
  return (kind === 'new' && conditions.newFailure) || (kind === 'returned' && conditions.returnedFailure)
}
