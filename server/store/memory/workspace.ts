import { maxAuditEntries } from '../audit-store.ts'
import { compareText } from '../common/compare-text.ts'
import { cacheTokens } from '../token-store.ts'
import type { Delivery, NewDelivery } from '../webhook-store.ts'
import type { WorkspaceStore } from '../workspace-store.ts'
import type { Memory, Run } from './memory.ts'

export function memoryWorkspace(memory: Memory, run: Run): WorkspaceStore {
  const read = <T>(query: () => T) => run(undefined, () => structuredClone(query()))
  const execute = (work: () => void) => run(undefined, work)
  const waiting = () => memory.deliveries.filter(({ nextMs }) => nextMs !== null)

  return {
    savedSearches: {
      list: () =>
        read(() =>
          memory.savedSearches.toSorted(
            (a, b) => compareText(a.name.toLowerCase(), b.name.toLowerCase()) || compareText(a.name, b.name),
          ),
        ),
      save: search =>
        execute(() => {
          memory.savedSearches = [...memory.savedSearches.filter(({ name }) => name !== search.name), search]
        }),
      remove: id =>
        execute(() => {
          memory.savedSearches = memory.savedSearches.filter(search => search.id !== id)
        }),
    },
    sourceMaps: {
      list: () => read(() => headers(memory)),
      put: (map, content, limitBytes) =>
        run(undefined, () => {
          if (memory.sourceMaps.some(({ header }) => header.id === map.id)) return false
          const header = { ...map, sizeBytes: content.length, isApplied: false }
          memory.sourceMaps.push({ header, content: Uint8Array.from(content) })
          let bytes = headers(memory).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
          for (const { id, sizeBytes } of headers(memory)) {
            if (bytes <= limitBytes) break
            if (id === map.id) continue
            memory.sourceMaps = memory.sourceMaps.filter(({ header }) => header.id !== id)
            bytes -= sizeBytes
          }
          return true
        }),
      read: (id, start, length) =>
        read(() => {
          const map = memory.sourceMaps.find(({ header }) => header.id === id)
          return map?.content.slice(start, start + length) ?? null
        }),
      markApplied: ids =>
        execute(() => {
          for (const { header } of memory.sourceMaps) if (ids.includes(header.id)) header.isApplied = true
        }),
    },
    webhooks: {
      list: () =>
        read(() => memory.webhooks.toSorted((a, b) => a.createdMs - b.createdMs || compareText(a.id, b.id))),
      add: webhook => execute(() => void memory.webhooks.push(webhook)),
      change: webhook =>
        execute(() => {
          memory.webhooks = memory.webhooks.map(old =>
            old.id === webhook.id ? { ...webhook, createdMs: old.createdMs } : old,
          )
        }),
      remove: id =>
        execute(() => {
          memory.webhooks = memory.webhooks.filter(webhook => webhook.id !== id)
          memory.deliveries = memory.deliveries.filter(({ webhookId }) => webhookId !== id)
        }),
      enqueue: (deliveries, sinceMs) =>
        run(undefined, () => {
          const before = memory.deliveries.length
          for (const delivery of deliveries) {
            if (memory.deliveries.some(old => isRepeated(old, delivery, sinceMs))) continue
            memory.deliveries.push({
              ...delivery,
              attempts: 0,
              nextMs: delivery.createdMs,
              status: null,
              problem: null,
              endedMs: null,
            })
          }
          return memory.deliveries.length - before
        }),
      due: (nowMs, limit) =>
        read(() =>
          waiting()
            .filter(({ nextMs }) => (nextMs ?? 0) <= nowMs)
            .sort((a, b) => (a.nextMs ?? 0) - (b.nextMs ?? 0) || compareText(a.id, b.id))
            .slice(0, limit),
        ),
      nextDueMs: () =>
        read(() => {
          const times = waiting().map(({ nextMs }) => nextMs ?? 0)
          return times.length === 0 ? null : Math.min(...times)
        }),
      recordAttempt: (id, { atMs, status, problem, nextMs }) =>
        execute(() => {
          const endedMs = nextMs === null ? atMs : null
          memory.deliveries = memory.deliveries.map(old =>
            old.id === id ? { ...old, attempts: old.attempts + 1, status, problem, nextMs, endedMs } : old,
          )
        }),
      deliveries: (webhookId, limit) =>
        read(() =>
          memory.deliveries
            .filter(delivery => delivery.webhookId === webhookId)
            .sort((a, b) => b.createdMs - a.createdMs || compareText(a.id, b.id))
            .slice(0, limit),
        ),
      deleteEnded: beforeMs =>
        execute(() => {
          memory.deliveries = memory.deliveries.filter(
            ({ endedMs }) => endedMs === null || endedMs >= beforeMs,
          )
        }),
    },
    tokens: cacheTokens({
      list: () =>
        read(() =>
          memory.tokens
            .map(({ token, hash, usedMs }) => ({ ...token, hash, usedMs }))
            .sort(
              (a, b) => a.createdMs - b.createdMs || compareText(a.name, b.name) || compareText(a.id, b.id),
            ),
        ),
      add: (token, hash) => execute(() => void memory.tokens.push({ token, hash, usedMs: null })),
      remove: id =>
        execute(() => {
          memory.tokens = memory.tokens.filter(({ token }) => token.id !== id)
        }),
      recordUse: usedMs =>
        execute(() => {
          for (const each of memory.tokens) each.usedMs = usedMs.get(each.token.id) ?? each.usedMs
        }),
    }),
    endedSessions: {
      end: (id, untilMs) => execute(() => void memory.endedSessions.set(id, untilMs)),
      ended: nowMs =>
        read(() =>
          [...memory.endedSessions]
            .filter(([, untilMs]) => untilMs > nowMs)
            .map(([id]) => id)
            .sort(),
        ),
    },
    audit: {
      add: entry =>
        execute(() => {
          memory.audit = [...memory.audit, entry].slice(-maxAuditEntries)
        }),
      list: limit =>
        read(() =>
          memory.audit
            .map((entry, index) => ({ entry, index }))
            .sort((a, b) => b.entry.atMs - a.entry.atMs || b.index - a.index)
            .slice(0, limit)
            .map(({ entry }) => entry),
        ),
    },
    settings: {
      list: () => read(() => [...memory.settings.values()].sort((a, b) => compareText(a.name, b.name))),
      save: (changes, changedMs) =>
        execute(() => {
          for (const { name, value } of changes) {
            if (value === null) memory.settings.delete(name)
            else memory.settings.set(name, { name, value, changedMs })
          }
        }),
    },
  }
}

/** Oldest first. */
function headers(memory: Memory) {
  return memory.sourceMaps
    .map(({ header }) => header)
    .sort((a, b) => a.uploadedMs - b.uploadedMs || compareText(a.id, b.id))
}

function isRepeated(old: Delivery, { webhookId, kind, subject }: NewDelivery, sinceMs: number): boolean {
  if (kind === 'test' || old.kind === 'test') return false
  return old.webhookId === webhookId && old.subject === subject && old.createdMs > sinceMs
}
