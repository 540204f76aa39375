import type { LogEvent, NewEvent } from '../../shared/event.ts'
import { isFailureSeverity } from '../../shared/severity.ts'
import { createBackgroundTask } from '../background-task.ts'
import type { Logger } from '../logger.ts'
import type { Store } from '../store/store.ts'
import { createBatchCommit, type Entry } from './commit-batch.ts'
import { type EventCounts, type Events, QueueFullError } from './events.ts'
import { createRate } from './rate.ts'

type Batch = { entries: Entry[]; requests: number }

export type QueueOptions = {
  store: Pick<Store, 'append' | 'claimRequests'>
  /** Logs store outages. These log lines must not become events. */
  logger: Pick<Logger, 'error' | 'info'>
  /** Replaces the fingerprints of events whose stacks have source maps. Returns `null` if there are no such events. */
  fingerprintEvents?: (events: readonly NewEvent[]) => Promise<readonly NewEvent[]> | null
  /** How long to wait for more events before committing a batch. */
  batchMs?: number
  /**
   * Like `batchMs`, for self-log events. Longer, because no request waits for these events, and a commit takes as long as
   * rendering a page.
   */
  selfLogBatchMs?: number
  maxEvents?: number
  maxBytes?: number
}

/** Failures in Sixpane's own log wait only this long, because users may search for their digests immediately. */
const failureBatchMs = 200

/**
 * Commits events in batches. The next batch fills while a commit is in progress, so the store's speed, not a timer,
 * determines the batch size.
 */
export function createEvents({
  store,
  logger,
  fingerprintEvents = () => null,
  batchMs = 2,
  selfLogBatchMs = 1000,
  maxEvents = 100_000,
  maxBytes = 64 * 1024 * 1024,
}: QueueOptions): Events {
  const listeners = new Set<(events: readonly LogEvent[]) => void>()
  const rate = createRate()
  const inProgress = new Map<string, Promise<void>>()
  const counts: Omit<EventCounts, 'perSecond'> = { accepted: 0, rejected: 0, ignored: {}, dropped: 0 }
  let waiting: Batch = { entries: [], requests: 0 }
  let inMemory = { events: 0, sizeBytes: 0 }
  let closed = false

  const hasRoom = (count: number, sizeBytes: number, share: number) =>
    // Accept a request that is larger than the queue while the queue is empty; otherwise it would never be accepted.
    inMemory.events === 0 ||
    (inMemory.events + count <= maxEvents * share && inMemory.sizeBytes + sizeBytes <= maxBytes * share)

  const put = (entry: Entry) => {
    waiting.entries.push(entry)
    if (entry.request !== undefined) waiting.requests += 1
    inMemory = {
      events: inMemory.events + entry.events.length,
      sizeBytes: inMemory.sizeBytes + entry.sizeBytes,
    }
  }

  const commitTask = createBackgroundTask({
    async run() {
      await commitWaiting()
      // Commit the events of waiting requests immediately; self-log events can wait.
      while (waiting.requests > 0) await commitWaiting()
      if (waiting.entries.length > 0) commitTask.wakeIn(selfLogBatchMs)
    },
    onError: err => logger.error({ err }, 'Failed to commit a batch'),
  })

  const commitWaiting = async () => {
    if (waiting.entries.length === 0) return
    const { entries } = waiting
    waiting = { entries: [], requests: 0 }
    await commit(entries)
    for (const { events, sizeBytes } of entries) {
      inMemory = { events: inMemory.events - events.length, sizeBytes: inMemory.sizeBytes - sizeBytes }
    }
  }

  const commit = createBatchCommit({
    store,
    logger,
    onStored(stored) {
      counts.accepted += stored.length
      rate.add(stored.length)
      for (const listener of listeners) notify(listener, stored)
    },
    onFailed(events) {
      counts.dropped += events.filter(({ source }) => source === 'own').length
    },
  })

  const enqueue = async (parsed: readonly NewEvent[], sizeBytes: number, requestKey?: string) => {
    const fingerprinting = fingerprintEvents(parsed)
    const events = fingerprinting === null ? parsed : await fingerprinting
    if (closed || !hasRoom(events.length, sizeBytes, 1)) {
      counts.rejected += events.length
      throw new QueueFullError(1)
    }
    await new Promise<void>((resolve, reject) => {
      put({ events, sizeBytes, request: { key: requestKey, resolve, reject } })
      if (waiting.requests === 1) commitTask.wakeIn(batchMs)
    })
  }

  // A listener's exception must not affect the events, which are already stored.
  const notify = (listener: (events: readonly LogEvent[]) => void, stored: readonly LogEvent[]) => {
    try {
      listener(stored)
    } catch (err) {
      logger.error({ err }, 'Failed to run a commit listener')
    }
  }

  return {
    async accept(events, sizeBytes, requestKey) {
      if (events.length === 0) return
      if (requestKey === undefined) return enqueue(events, sizeBytes)
      const first = inProgress.get(requestKey)
      if (first !== undefined) return first
      const storing = enqueue(events, sizeBytes, requestKey).finally(() => inProgress.delete(requestKey))
      inProgress.set(requestKey, storing)
      return storing
    },
    enqueueBestEffort(event, sizeBytes) {
      // Half of the queue is reserved for events from requests.
      if (closed || !hasRoom(1, sizeBytes, 0.5)) {
        counts.dropped += 1
        return
      }
      put({ events: [event], sizeBytes })
      const isFailure = isFailureSeverity(event.severity)
      commitTask.wakeIn(isFailure ? Math.min(selfLogBatchMs, failureBatchMs) : selfLogBatchMs)
    },
    countRejected(count) {
      counts.rejected += count
    },
    countIgnored(kind, count) {
      counts.ignored = { ...counts.ignored, [kind]: (counts.ignored[kind] ?? 0) + count }
    },
    onCommit(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    counts: () => ({ ...counts, perSecond: rate.perSecond() }),
    async close() {
      closed = true
      await commitTask.stop()
      await commitWaiting()
    },
  }
}
