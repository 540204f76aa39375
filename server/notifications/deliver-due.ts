import type { Delivery } from '../store/webhook-store.ts'

/** The limit applies to each webhook separately, so that a slow webhook does not delay messages to other webhooks. */
const maxConcurrentPerWebhook = 4

/**
 * Attempts to deliver all messages that are due, including those that become due in the meantime. Stops early when `signal`
 * aborts or an attempt throws, and then waits for the attempts in progress.
 * @param options `due` returns the messages, at most `limit` for each webhook; `nextWake` resolves when more may be due
 * @throws the first error that an attempt throws
 */
export async function deliverDue({
  due,
  attempt,
  nextWake,
  signal,
}: {
  due: (limit: number) => Promise<readonly Delivery[]>
  attempt: (delivery: Delivery) => Promise<void>
  nextWake: () => Promise<void>
  signal: AbortSignal
}): Promise<void> {
  const inProgress = new Map<string, { webhookId: string; attempted: Promise<void> }>()
  const ended = new Set<string>()
  const errors: unknown[] = []
  const begin = (delivery: Delivery) => {
    const { id, webhookId } = delivery
    const attempted = attempt(delivery)
      .catch(error => void errors.push(error))
      .finally(() => {
        inProgress.delete(id)
        ended.add(id)
      })
    inProgress.set(id, { webhookId, attempted })
  }
  const attempts = () => [...inProgress.values()].map(({ attempted }) => attempted)
  const countOf = (webhookId: string) =>
    [...inProgress.values()].filter(each => each.webhookId === webhookId).length

  while (!signal.aborted && errors.length === 0) {
    ended.clear()
    const woken = nextWake()
    for (const delivery of await due(maxConcurrentPerWebhook)) {
      // An attempt may have ended after the query read its message.
      const isWaiting = !inProgress.has(delivery.id) && !ended.has(delivery.id)
      if (isWaiting && countOf(delivery.webhookId) < maxConcurrentPerWebhook) begin(delivery)
    }
    if (ended.size > 0) continue
    if (inProgress.size === 0) return
    await Promise.race([woken, ...attempts()])
  }
  await Promise.all(attempts())
  if (errors.length > 0) throw errors[0]
}
