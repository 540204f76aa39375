import type { BackgroundTask } from '../background-task.ts'
import { createLeaderTask } from '../leader-task.ts'
import type { Logger } from '../logger.ts'
import type { Replicas } from '../store/replicas.ts'
import type { Delivery, WebhookStore } from '../store/webhook-store.ts'
import type { AttemptResult, Channel } from './channel.ts'
import { deliverDue } from './deliver-due.ts'

/** Pauses between attempts. After the last attempt, the message is abandoned. */
const pausesMs = [10_000, 60_000, 5 * 60_000, 30 * 60_000, 2 * 3_600_000]
/** How long the delivery log is stored. */
const logRetentionMs = 7 * 86_400_000
const retryAfterErrorMs = 60_000
const maxSleepMs = 3_600_000

export type Deliveries = Pick<BackgroundTask, 'wake' | 'stop'> & {
  /** Tries to deliver a message now, on any replica. Resolves when the result is stored. */
  attempt(message: Pick<Delivery, 'id' | 'webhookId' | 'kind' | 'body'>): Promise<void>
}

/**
 * Delivers stored messages, and retries failed attempts even after a restart. All attempts to deliver a message send the same
 * id, so that the receiver can detect duplicates. `wake()` resolves after one attempt to deliver each message that is due.
 */
export function createDeliveries(options: {
  store: WebhookStore
  replicas: Replicas
  channel: Pick<Channel, 'attempt'>
  logger: Pick<Logger, 'warn' | 'error'>
  nowMs?: () => number
}): Deliveries {
  const { store, replicas, channel, logger, nowMs = Date.now } = options
  const stopping = new AbortController()

  let onWake = () => {}
  const deliveryTask = createLeaderTask({
    replicas,
    /** Delivers all messages that are due and schedules the next run. */
    async run(signal) {
      await deliverDue({
        due: limit => store.due(nowMs(), limit),
        attempt: delivery => attempt(delivery, signal),
        nextWake: () =>
          new Promise<void>(resolve => {
            onWake = resolve
          }),
        signal,
      })
      if (!signal.aborted) await scheduleNext()
    },
    onError(err) {
      logger.error({ err }, 'Failed to deliver to webhooks')
      deliveryTask.wakeIn(retryAfterErrorMs)
    },
  })

  const scheduleNext = async () => {
    await store.deleteEnded(nowMs() - logRetentionMs)
    const nextMs = await store.nextDueMs()
    if (nextMs !== null) deliveryTask.wakeIn(Math.min(Math.max(nextMs - nowMs(), 0), maxSleepMs))
  }

  const attempt = async (
    delivery: Pick<Delivery, 'id' | 'webhookId' | 'kind' | 'body' | 'attempts'>,
    signal: AbortSignal,
  ) => {
    const webhook = (await store.list()).find(({ id }) => id === delivery.webhookId)
    if (webhook === undefined) {
      // The webhook was removed with its messages. This message is new, or was stored again by another replica.
      const abandoned = { atMs: nowMs(), status: null, problem: 'The webhook was removed', nextMs: null }
      return store.recordAttempt(delivery.id, abandoned)
    }
    const result = await channel.attempt(webhook, delivery, nowMs(), signal)
    // An attempt interrupted by a shutdown or a lost lease does not count and is repeated later.
    if (signal.aborted && result.problem !== null) return
    const nextMs = nextTryMs(delivery, result, nowMs())
    await store.recordAttempt(delivery.id, {
      atMs: nowMs(),
      status: result.status,
      problem: result.problem,
      nextMs,
    })
    if (result.problem !== null && nextMs === null) {
      // Without the text of the response, because viewers may read the log, and the text may contain parts of the secret URL.
      const reason = result.status === null ? result.problem : `HTTP ${result.status}`
      // Logged as text, because an `err` field would create a failure, which triggers webhooks.
      logger.warn({ webhook: webhook.name, reason }, 'Gave up delivering to a webhook')
    }
  }

  const wake = () => {
    onWake()
    return deliveryTask.wake()
  }
  // Another replica may have stored a message or changed the time at which one is due.
  const unsubscribe = replicas.onState(() => void wake())
  return {
    wake,
    attempt: message => attempt({ ...message, attempts: 0 }, stopping.signal),
    async stop() {
      unsubscribe()
      stopping.abort()
      await deliveryTask.stop()
    },
  }
}

/**
 * Returns the time of the next attempt. Returns `null` after success, 410 Gone or the last attempt, and always for test
 * messages, because users can send them again.
 */
function nextTryMs(
  { attempts, kind }: Pick<Delivery, 'attempts' | 'kind'>,
  result: AttemptResult,
  nowMs: number,
): number | null {
  const pauseMs = pausesMs[attempts]
  if (result.problem === null || result.status === 410 || kind === 'test' || pauseMs === undefined)
    return null
  return nowMs + Math.max(pauseMs, result.retryAfterMs ?? 0)
}
