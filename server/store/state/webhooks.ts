import { compareText } from '../common/compare-text.ts'
import { type Delivery, type NewDelivery, unlimitedKinds, type WebhookStore } from '../webhook-store.ts'
import type { AccessState, State } from './state.ts'

export function webhooksOf(run: AccessState): WebhookStore {
  return {
    list: () =>
      run(({ webhooks }) =>
        [...webhooks.values()].sort((a, b) => a.createdMs - b.createdMs || compareText(a.id, b.id)),
      ),
    add: webhook => run(({ webhooks }) => void webhooks.set(webhook.id, webhook)),
    change: webhook =>
      run(({ webhooks }) => {
        const old = webhooks.get(webhook.id)
        if (old !== undefined) webhooks.set(webhook.id, { ...webhook, createdMs: old.createdMs })
      }),
    remove: id =>
      run(({ webhooks, deliveries }) => {
        webhooks.delete(id)
        for (const delivery of deliveries.values()) {
          if (delivery.webhookId === id) deliveries.delete(delivery.id)
        }
      }),
    enqueue: (added, sinceMs) =>
      run(({ deliveries }) => {
        const before = deliveries.size
        for (const delivery of added) {
          if ([...deliveries.values()].some(old => isRepeated(old, delivery, sinceMs))) continue
          deliveries.set(delivery.id, {
            ...delivery,
            attempts: 0,
            status: null,
            problem: null,
            endedMs: null,
          })
        }
        return deliveries.size - before
      }),
    due: (nowMs, limit) =>
      run(state => {
        const listed = new Map<string, number>()
        return waiting(state)
          .filter(({ nextMs }) => (nextMs ?? 0) <= nowMs)
          .sort((a, b) => (a.nextMs ?? 0) - (b.nextMs ?? 0) || compareText(a.id, b.id))
          .filter(({ webhookId }) => {
            const count = (listed.get(webhookId) ?? 0) + 1
            listed.set(webhookId, count)
            return count <= limit
          })
      }),
    nextDueMs: () =>
      run(state => {
        const times = waiting(state).map(({ nextMs }) => nextMs ?? 0)
        return times.length === 0 ? null : times.reduce((a, b) => Math.min(a, b))
      }),
    recordAttempt: (id, { atMs, status, problem, nextMs }) =>
      run(({ deliveries }) => {
        const old = deliveries.get(id)
        if (old === undefined) return
        const endedMs = nextMs === null ? atMs : null
        deliveries.set(id, { ...old, attempts: old.attempts + 1, status, problem, nextMs, endedMs })
      }),
    deliveries: (webhookId, limit, kind) =>
      run(({ deliveries }) =>
        [...deliveries.values()]
          .filter(each => each.webhookId === webhookId && (kind === undefined || each.kind === kind))
          .sort((a, b) => b.createdMs - a.createdMs || compareText(a.id, b.id))
          .slice(0, limit),
      ),
    deleteEnded: beforeMs =>
      run(({ deliveries }) => {
        for (const { id, endedMs } of deliveries.values()) {
          if (endedMs !== null && endedMs < beforeMs) deliveries.delete(id)
        }
      }),
  }
}

function waiting({ deliveries }: Pick<State, 'deliveries'>): Delivery[] {
  return [...deliveries.values()].filter(({ nextMs }) => nextMs !== null)
}

function isRepeated(old: Delivery, { id, webhookId, kind, subject }: NewDelivery, sinceMs: number): boolean {
  if (old.id === id) return true
  if (unlimitedKinds.includes(kind)) return false
  return (
    old.webhookId === webhookId && old.kind === kind && old.subject === subject && old.createdMs > sinceMs
  )
}
