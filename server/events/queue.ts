import type { LogEvent, NewEvent } from '../../shared/event.ts'
import type { Logger } from '../logger.ts'
import type { Store } from '../store/store.ts'
import { type EventCounts, type Events, QueueFullError } from './events.ts'
import { createKnownKeys } from './known-keys.ts'
import { createRate } from './rate.ts'

type Batch = {
  events: NewEvent[]
  sizeBytes: number
  requestKeys: string[]
  settle: { resolve: () => void; reject: (reason: unknown) => void }[]
}

export type QueueOptions = {
  store: Pick<Store, 'append'>
  /** Where an outage of the store is told: a logger whose lines are not offered back as events. */
  logger: Pick<Logger, 'error' | 'info'>
  /** The keys of requests that the store knows, newest first. */
  requestKeys?: readonly string[]
  /** Gives events of a way in the failures that source maps say they are of; `null` where it changes none. */
  identify?: (events: readonly NewEvent[]) => Promise<readonly NewEvent[]> | null
  /** How long somebody who waits for an answer waits for others to join. */
  gatherMs?: number
  /** How long Sixpane's own events wait: nobody waits for them, and a commit for each would cost what pages cost. */
  ownGatherMs?: number
  mostEvents?: number
  mostBytes?: number
}

/**
 * Gathers events into batches, each of which is committed as one: while a commit is under way the next batch
 * fills, so that the store's speed and not a timer sets its size.
 */
export function createEvents({
  store,
  logger,
  requestKeys = [],
  identify = () => null,
  gatherMs = 2,
  ownGatherMs = 200,
  mostEvents = 100_000,
  mostBytes = 64 * 1024 * 1024,
}: QueueOptions): Events {
  const listeners = new Set<(events: readonly LogEvent[]) => void>()
  const rate = createRate()
  const known = createKnownKeys(requestKeys)
  const counts: Omit<EventCounts, 'perSecond'> = { accepted: 0, refused: 0, passedOver: 0, dropped: 0 }
  let waiting = emptyBatch()
  let held = { events: 0, sizeBytes: 0 }
  let timer: NodeJS.Timeout | null = null
  let committing: Promise<void> | null = null
  let outage = false
  let closed = false

  const hasRoom = (count: number, sizeBytes: number, share: number) =>
    // One request that is larger than the queue is taken when the queue is empty, rather than never.
    held.events === 0 ||
    (held.events + count <= mostEvents * share && held.sizeBytes + sizeBytes <= mostBytes * share)

  const put = (events: readonly NewEvent[], sizeBytes: number) => {
    for (const event of events) waiting.events.push(event)
    waiting.sizeBytes += sizeBytes
    held = { events: held.events + events.length, sizeBytes: held.sizeBytes + sizeBytes }
  }

  const commitIn = (ms: number) => {
    if (timer !== null) clearTimeout(timer)
    timer = setTimeout(() => {
      timer = null
      committing = commitAll(() => waiting.settle.length > 0).finally(() => {
        committing = null
        if (waiting.settle.length > 0) commitIn(gatherMs)
        else if (waiting.events.length > 0) commitIn(ownGatherMs)
      })
    }, ms)
  }

  /** Commits what waits, and goes on while `more` says so: what came during one commit makes the next. */
  const commitAll = async (more: () => boolean) => {
    do {
      const batch = waiting
      waiting = emptyBatch()
      await commit(batch)
      held = { events: held.events - batch.events.length, sizeBytes: held.sizeBytes - batch.sizeBytes }
    } while (more())
  }

  const commit = async ({ events, requestKeys, settle }: Batch) => {
    let kept: LogEvent[]
    try {
      kept = await store.append(events, requestKeys)
    } catch (err) {
      // One line an outage: the log must not fill with what it cannot keep.
      if (!outage) logger.error({ err, events: events.length }, 'Failed to store events')
      outage = true
      counts.dropped += events.filter(event => event.source === 'own').length
      for (const { reject } of settle) reject(err)
      return
    }
    if (outage) logger.info('Events are stored again')
    outage = false
    counts.accepted += kept.length
    rate.add(kept.length)
    for (const { resolve } of settle) resolve()
    for (const listener of listeners) tell(listener, kept)
  }

  const queue = async (read: readonly NewEvent[], sizeBytes: number, requestKey?: string) => {
    const identifying = identify(read)
    const events = identifying === null ? read : await identifying
    if (closed || !hasRoom(events.length, sizeBytes, 1)) {
      counts.refused += events.length
      throw new QueueFullError(1)
    }
    await new Promise<void>((resolve, reject) => {
      const isFirst = waiting.settle.push({ resolve, reject }) === 1
      if (requestKey !== undefined) waiting.requestKeys.push(requestKey)
      put(events, sizeBytes)
      if (isFirst && committing === null) commitIn(gatherMs)
    })
  }

  // The events are kept, whatever becomes of those who hear of it.
  const tell = (listener: (events: readonly LogEvent[]) => void, kept: readonly LogEvent[]) => {
    try {
      listener(kept)
    } catch (err) {
      logger.error({ err }, 'Failed to tell of stored events')
    }
  }

  return {
    async accept(events, sizeBytes, requestKey) {
      if (events.length === 0) return
      if (requestKey === undefined) return queue(events, sizeBytes)
      return known.once(requestKey, () => queue(events, sizeBytes, requestKey))
    },
    enqueueBestEffort(event, sizeBytes) {
      // The last of the room is for those who wait for an answer.
      if (closed || !hasRoom(1, sizeBytes, 0.5)) {
        counts.dropped += 1
        return
      }
      put([event], sizeBytes)
      if (committing === null && timer === null) commitIn(ownGatherMs)
    },
    countRejected(count) {
      counts.refused += count
    },
    countIgnored(count) {
      counts.passedOver += count
    },
    onCommit(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    counts: () => ({ ...counts, perSecond: rate.perSecond() }),
    async close() {
      closed = true
      await committing
      if (timer !== null) clearTimeout(timer)
      if (waiting.events.length > 0) await commitAll(() => false)
    },
  }
}

function emptyBatch(): Batch {
  return { events: [], sizeBytes: 0, requestKeys: [], settle: [] }
}
