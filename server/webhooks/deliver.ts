import type { Logger } from '../logger.ts'
import type { Delivery, WebhookStore } from '../store/webhook-store.ts'
import { type Posted, post } from './post.ts'

/** How long after each try the next one follows; after the last the message is given up. */
const pausesMs = [10_000, 60_000, 5 * 60_000, 30 * 60_000, 2 * 3_600_000]
const atOnce = 4
/** How long what became of a message can be read. */
const keptForMs = 7 * 86_400_000

/**
 * Delivers what the store holds for delivery: at least once, whatever happens to the process, each message under the
 * id by which its receiver can tell that it has it already.
 */
export function createDeliveries(options: {
  store: WebhookStore
  logger: Pick<Logger, 'warn' | 'error'>
  nowMs?: () => number
}) {
  const { store, logger, nowMs = Date.now } = options
  const stopped = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | null = null
  let again = false

  /** Tries what is due, until nothing is, and sets the clock for what comes next. */
  const run = async () => {
    while (again && !stopped.signal.aborted) {
      again = false
      const due = await store.due(nowMs(), atOnce)
      await Promise.all(due.map(attempt))
      if (due.length > 0) again = true
      else await restUntilNext()
    }
  }

  const restUntilNext = async () => {
    await store.forget(nowMs() - keptForMs)
    const nextMs = await store.nextDueMs()
    if (nextMs !== null) wakeIn(Math.min(Math.max(nextMs - nowMs(), 0), 3_600_000))
  }

  const wakeIn = (ms: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => void wake(), ms)
    timer.unref()
  }

  /** Looks now for what is to be delivered; resolves once each message that is due was tried. */
  const wake = (): Promise<void> => {
    if (stopped.signal.aborted) return Promise.resolve()
    again = true
    running ??= run()
      .catch(err => {
        again = false
        logger.error({ err }, 'Failed to deliver to webhooks')
        wakeIn(60_000)
      })
      .finally(() => {
        running = null
        // Somebody woke it just as it ended.
        if (again) void wake()
      })
    return running
  }

  const attempt = async (delivery: Delivery) => {
    const webhook = (await store.list()).find(({ id }) => id === delivery.webhookId)
    // It was removed meanwhile, and its messages with it.
    if (webhook === undefined) return
    const posted = await post({ ...webhook, id: delivery.id, body: delivery.body }, nowMs(), stopped.signal)
    // A try that a stop cut off is none: it is made again after the next start.
    if (stopped.signal.aborted && posted.problem !== null) return
    const nextMs = nextTryMs(delivery, posted, nowMs())
    await store.note(delivery.id, { atMs: nowMs(), status: posted.status, problem: posted.problem, nextMs })
    if (posted.problem !== null && nextMs === null) {
      // As words, not as an error: it would be a failure, of which a webhook would tell.
      logger.warn({ webhook: webhook.name, reason: posted.problem }, 'Gave up a message to a webhook')
    }
  }

  return {
    wake,
    async stop() {
      stopped.abort()
      clearTimeout(timer)
      await running
    },
  }
}

/** A receiver that is gone for good (410) gets no more tries, and neither does a test: whoever made it looks on. */
function nextTryMs({ attempts, kind }: Delivery, posted: Posted, nowMs: number): number | null {
  const pauseMs = pausesMs[attempts]
  if (posted.problem === null || posted.status === 410 || kind === 'test' || pauseMs === undefined)
    return null
  return nowMs + Math.max(pauseMs, posted.retryAfterMs ?? 0)
}
