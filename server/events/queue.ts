import type { LogEvent, NewEvent } from '../../shared/event.ts'
import { isFailureSeverity } from '../../shared/severity.ts'
import { createBackgroundTask } from '../background-task.ts'
import type { Logger } from '../logger.ts'
import type { Store } from '../store/store.ts'
import { type EventCounts, type Events, QueueFullError } from './events.ts'
import { createRate } from './rate.ts'
import { createRequestKeys } from './request-keys.ts'

type Batch = {
  events: NewEvent[]
  sizeBytes: number
  requestKeys: string[]
  settle: { resolve: () => void; reject: (reason: unknown) => void }[]
}

export type QueueOptions = {
  store: Pick<Store, 'append'>
  /** Logs store outages. These log lines must not become events. */
  logger: Pick<Logger, 'error' | 'info'>
  /** Stored idempotency keys, newest first. */
  requestKeys?: readonly string[]
  /** Replaces the fingerprints of events that have source maps. Returns `null` if there are no such events. */
  identify?: (events: readonly NewEvent[]) => Promise<readonly NewEvent[]> | null
  /** How long to wait for more events before committing a batch. */
  batchMs?: number
  /**
   * Like `batchMs`, for self-log events. Longer, because no request waits for these events, and a commit takes as long as a
   * page.
   */
  selfLogBatchMs?: number
  maxEvents?: number
  maxBytes?: number
}

/** A self-log event of a failure waits only this long, because visitors may search for its digest immediately. */
const failureBatchMs = 200

/**
 * Commits events in batches. The next batch fills while a commit is in progress, so the store's speed, not a timer,
 * determines the batch size.
 */
export function createEvents({
  store,
  logger,
  requestKeys = [],
  identify = () => null,
  batchMs = 2,
  selfLogBatchMs = 1000,
  maxEvents = 100_000,
  maxBytes = 64 * 1024 * 1024,
}: QueueOptions): Events {
  const listeners = new Set<(events: readonly LogEvent[]) => void>()
  const rate = createRate()
  const known = createRequestKeys(requestKeys)
  const counts: Omit<EventCounts, 'perSecond'> = { accepted: 0, rejected: 0, ignored: {}, dropped: 0 }
  let waiting = emptyBatch()
  let inMemory = { events: 0, sizeBytes: 0 }
  let outage = false
  let closed = false

  const hasRoom = (count: number, sizeBytes: number, share: number) =>
    // Accept a request that is larger than the queue while the queue is empty; otherwise it would never be accepted.
    inMemory.events === 0 ||
    (inMemory.events + count <= maxEvents * share && inMemory.sizeBytes + sizeBytes <= maxBytes * share)

  const put = (events: readonly NewEvent[], sizeBytes: number) => {
    for (const event of events) waiting.events.push(event)
    waiting.sizeBytes += sizeBytes
    inMemory = { events: inMemory.events + events.length, sizeBytes: inMemory.sizeBytes + sizeBytes }
  }

  const commitTask = createBackgroundTask({
    async run() {
      await commitWaiting()
      // Commit the events of waiting requests immediately; self-log events can wait.
      while (waiting.settle.length > 0) await commitWaiting()
      if (waiting.events.length > 0) commitTask.wakeIn(selfLogBatchMs)
    },
    onError: err => logger.error({ err }, 'Failed to commit a batch'),
  })

  const commitWaiting = async () => {
    if (waiting.events.length === 0) return
    const batch = waiting
    waiting = emptyBatch()
    await commit(batch)
    inMemory = {
      events: inMemory.events - batch.events.length,
      sizeBytes: inMemory.sizeBytes - batch.sizeBytes,
    }
  }

  const commit = async ({ events, requestKeys, settle }: Batch) => {
    let stored: LogEvent[]
    try {
      stored = await store.append(events, requestKeys)
    } catch (err) {
      // Log one line per outage.
      if (!outage) logger.error({ err, events: events.length }, 'Failed to store events')
      outage = true
      counts.dropped += events.filter(event => event.source === 'own').length
      for (const { reject } of settle) reject(err)
      return
    }
    if (outage) logger.info('Events are stored again')
    outage = false
    counts.accepted += stored.length
    rate.add(stored.length)
    for (const { resolve } of settle) resolve()
    for (const listener of listeners) notify(listener, stored)
  }

  const enqueue = async (parsed: readonly NewEvent[], sizeBytes: number, requestKey?: string) => {
    const identifying = identify(parsed)
    const events = identifying === null ? parsed : await identifying
    if (closed || !hasRoom(events.length, sizeBytes, 1)) {
      counts.rejected += events.length
      throw new QueueFullError(1)
    }
    await new Promise<void>((resolve, reject) => {
      const isFirst = waiting.settle.push({ resolve, reject }) === 1
      if (requestKey !== undefined) waiting.requestKeys.push(requestKey)
      put(events, sizeBytes)
      if (isFirst) commitTask.wakeIn(batchMs)
    })
  }

  // A listener's exception must not affect the events, which are already stored.
  const notify = (listener: (events: readonly LogEvent[]) => void, stored: readonly LogEvent[]) => {
    try {
      listener(stored)
    } catch (err) {
      logger.error({ err }, 'Commit listener failed')
    }
  }

  return {
    async accept(events, sizeBytes, requestKey) {
      if (events.length === 0) return
      if (requestKey === undefined) return enqueue(events, sizeBytes)
      return known.once(requestKey, () => enqueue(events, sizeBytes, requestKey))
    },
    enqueueBestEffort(event, sizeBytes) {
      // Half of the queue is reserved for events from requests.
      if (closed || !hasRoom(1, sizeBytes, 0.5)) {
        counts.dropped += 1
        return
      }
      put([event], sizeBytes)
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

function emptyBatch(): Batch {
  return { events: [], sizeBytes: 0, requestKeys: [], settle: [] }
}
