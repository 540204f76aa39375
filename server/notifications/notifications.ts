import { createHash, randomUUID } from 'node:crypto'
import { alertPeriodMs, maxAlerts } from '../failures/alert-limit.ts'
import { createLeaderTask } from '../leader-task.ts'
import type { Logger } from '../logger.ts'
import { createOutageLog } from '../outage-log.ts'
import type { Config } from '../settings/config.ts'
import { QueryLimitError, type Store } from '../store/store.ts'
import type { NewDelivery, Webhook } from '../store/webhook-store.ts'
import type { Channel } from './channel.ts'
import { createDeliveries } from './deliver.ts'
import { errorRatioNotices } from './error-ratio.ts'
import { describeNotice, type Notice, type RatioNotice, ratioSubject } from './notice.ts'

/** Minimum time between a webhook's messages of the same kind about the same subject (see `unlimitedKinds`). */
const minRepeatMs = 3_600_000
/** Maximum number of messages about error rates that a webhook gets in this time. */
const maxRatiosPerRepeat = maxAlerts * (minRepeatMs / alertPeriodMs)
const checkRatiosEveryMs = 60_000
/** If the process that sends a test message is killed, the replica with the lease sends it after this time. */
const testGraceMs = 60_000

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
  store: Pick<Store, 'webhooks' | 'services' | 'replicas'>
  channel: Channel
  config: Pick<Config, 'publicOrigin'>
  logger: Pick<Logger, 'error' | 'info' | 'warn'>
  nowMs?: () => number
}): Notifications {
  const { store, channel, config, logger, nowMs = Date.now } = options
  const deliveries = createDeliveries({
    store: store.webhooks,
    replicas: store.replicas,
    channel,
    logger,
    nowMs,
  })

  const messageTo = ({ id: webhookId }: Webhook, notice: Notice): NewDelivery => {
    const { kind } = notice
    const description = describeNotice(notice)
    const createdMs = nowMs()
    return {
      id: messageId(webhookId, notice, createdMs),
      webhookId,
      kind,
      subject: description.subject,
      body: channel.format(kind, description, config.publicOrigin),
      createdMs,
      nextMs: kind === 'test' ? createdMs + testGraceMs : createdMs,
    }
  }
  const enqueue = (messages: readonly NewDelivery[]) =>
    store.webhooks.enqueue(messages, nowMs() - minRepeatMs)
  const send = async (messages: readonly NewDelivery[]) => {
    if (messages.length > 0 && (await enqueue(messages)) > 0) void deliveries.wake()
  }

  const outage = createOutageLog(logger, {
    start: 'Failed to check error rates',
    end: 'Resumed checking error rates',
  })
  /** The ids of webhooks whose latest query exceeded a limit. This is logged once, because the next ones probably will too. */
  const exceeding = new Set<string>()
  const ratioNotices = async ({ id, name, conditions }: Webhook): Promise<RatioNotice[]> => {
    try {
      const notices = await errorRatioNotices(store, conditions, nowMs())
      exceeding.delete(id)
      return notices
    } catch (err) {
      if (!(err instanceof QueryLimitError)) throw err
      if (!exceeding.has(id)) {
        logger.error({ err, webhook: name }, 'Failed to check the error rates for a webhook')
      }
      exceeding.add(id)
      return []
    }
  }

  /**
   * Returns the notices whose services the webhook has had no message about for an hour, and how many of them may be sent
   * now. Uses the stored messages, because a restart would clear a counter.
   */
  const limitRatios = async ({ id }: Webhook, notices: readonly RatioNotice[]) => {
    const sent = await store.webhooks.deliveries(id, maxRatiosPerRepeat, 'ratio')
    const since = (ms: number) => sent.filter(({ createdMs }) => createdMs > nowMs() - ms)
    const repeated = new Set(since(minRepeatMs).map(({ subject }) => subject))
    const sendable = notices.filter(notice => !repeated.has(ratioSubject(notice)))
    return { sendable, remaining: Math.max(0, maxAlerts - since(alertPeriodMs).length) }
  }
  let warnedMs = Number.NEGATIVE_INFINITY
  const warnOfOmitted = (omitted: number) => {
    if (omitted === 0 || nowMs() - warnedMs < alertPeriodMs) return
    logger.warn({ omitted }, 'Too many high error rates at once; some do not trigger a webhook')
    warnedMs = nowMs()
  }

  const ratioTask = createLeaderTask({
    replicas: store.replicas,
    everyMs: checkRatiosEveryMs,
    async run() {
      let omitted = 0
      for (const webhook of await store.webhooks.list()) {
        const notices = await ratioNotices(webhook)
        if (notices.length === 0) continue
        const { sendable, remaining } = await limitRatios(webhook, notices)
        await send(sendable.slice(0, remaining).map(notice => messageTo(webhook, notice)))
        omitted += Math.max(0, sendable.length - remaining)
      }
      warnOfOmitted(omitted)
      outage.succeeded()
    },
    onError: outage.failed,
  })
  // Delivers messages left by the previous process.
  void deliveries.wake()

  return {
    async notify(notice) {
      const matching = (await store.webhooks.list()).filter(webhook => matches(webhook, notice))
      await send(matching.map(webhook => messageTo(webhook, notice)))
    },
    async test(webhook) {
      const message = messageTo(webhook, { kind: 'test', webhook: webhook.name })
      await enqueue([message])
      await deliveries.attempt(message)
    },
    async stop() {
      await ratioTask.stop()
      await deliveries.stop()
    },
  }
}

/**
 * Returns the id of a message. Two replicas that briefly send notifications at the same time compute the same id, and so
 * does a process that repeats the work of a killed one. A message is not sent again if its id is already stored.
 */
function messageId(webhookId: string, notice: Notice, nowMs: number): string {
  const hash = createHash('sha256').update(JSON.stringify([webhookId, ...occasionOf(notice, nowMs)]))
  return `msg_${hash.digest('base64url').slice(0, 32)}`
}

function occasionOf(notice: Notice, nowMs: number): unknown[] {
  switch (notice.kind) {
    case 'new':
    case 'returned':
      return [notice.kind, notice.failure.id, notice.atMs]
    case 'ratio':
      return [notice.kind, notice.service, Math.floor(nowMs / minRepeatMs)]
    case 'test':
      return [notice.kind, randomUUID()]
  }
}

function matches({ conditions }: Webhook, { kind }: Notice): boolean {
  return (kind === 'new' && conditions.newFailure) || (kind === 'returned' && conditions.returnedFailure)
}
