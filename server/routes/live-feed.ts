import type { ServerResponse } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { LimitFunction } from 'p-limit'
import type { Query } from '../../shared/query.ts'
import type { EventsSince, Position } from '../store/event-store.ts'
import type { Store } from '../store/store.ts'
import { formatHeartbeat, formatMessage } from './live-message.ts'
import type { ReaderSlot } from './reader-slots.ts'

/** If there are more events, only the newest are sent, with the number of missed events. */
const maxEventsPerMessage = 500
const minIntervalMs = 250
/** Browsers open the feed again after 40 seconds without a message. */
const heartbeatMs = 15_000
/** How far the clock of a sender may be ahead for its events to be sent at the start of a feed. */
const maxAheadMs = 60_000

type Feed = Pick<FastifyRequest, 'hasAccess'> & {
  store: Pick<Store, 'since' | 'events'>
  /** Calls the listener after events are stored. Returns a function that unsubscribes. */
  onEvents(listener: () => void): () => void
}
type Search = { query: Query; attributes: readonly string[] }
/**
 * `after`: the position from which to continue; `null` for new events only. `shownToMs`: the time at which the client's page
 * ends; `null` if the client has no page, or has already received events
 */
export type FeedStart = { after: Position | null; shownToMs: number | null }
type Client = { out: ServerResponse; slot: ReaderSlot; signal: AbortSignal }

/**
 * Sends events to a client as they are committed, until the client disconnects or loses access.
 * @param queryLimit limits the concurrent queries of all clients
 * @throws the reason of the client's signal, or the store's error
 */
export async function followEvents(
  client: Client,
  { query, attributes }: Search,
  { after, shownToMs }: FeedStart,
  { store, onEvents, hasAccess }: Feed,
  queryLimit: LimitFunction,
): Promise<void> {
  const { signal } = client
  let position = after ?? (await store.since(null, { query, limit: 0 }, signal)).position
  let pageEndMs = shownToMs
  let sentMs = performance.now()
  const sendNow = async (text: string) => {
    await send(client, text)
    sentMs = performance.now()
  }
  // If the client has already disconnected, nothing would remove its listener.
  signal.throwIfAborted()
  const waitForCommit = commitSignal(onEvents, signal)
  // The heartbeat contains the cursor, so that the client misses no events if it reconnects before the first one. A cursor
  // from the client is not sent back, because the store has not checked it yet.
  await sendNow(`retry: 1000\n${after === null ? formatHeartbeat(position) : '\n'}`)
  while (!signal.aborted && (await hasAccess())) {
    const message = await queryLimit(async () => {
      const update = await store.since(position, { query, limit: maxEventsPerMessage, attributes }, signal)
      position = update.position
      const aheadOfMs = pageEndMs
      pageEndMs = null
      // Missed events may be newer than these events, and the client shows a gap only below the oldest event of a message.
      if (aheadOfMs === null || update.missed > 0) return formatMessage(update)
      return formatMessage(await addEventsAhead(update, aheadOfMs, { query, attributes }, store, signal))
    })
    if (message !== '') await sendNow(message)
    await waitForCommit(sentMs + heartbeatMs - performance.now())
    if (performance.now() - sentMs >= heartbeatMs) await sendNow(formatHeartbeat(position))
  }
}

/**
 * Adds the events that are newer than the client's page although some were stored before it, because the sender's clock is
 * fast. They are neither on the page nor after its position.
 */
async function addEventsAhead(
  update: EventsSince,
  fromMs: number,
  search: Search,
  store: Pick<Store, 'events'>,
  signal: AbortSignal,
): Promise<EventsSince> {
  const window = { fromMs, toMs: fromMs + maxAheadMs }
  const { events } = await store.events({ ...search, window, limit: maxEventsPerMessage }, signal)
  const updateIds = new Set(update.events.map(({ id }) => id))
  return {
    ...update,
    events: [...events.toReversed().filter(({ id }) => !updateIds.has(id)), ...update.events],
  }
}

/** Returns a function that waits for a commit, for at least 250 ms and at most `maxMs`. */
function commitSignal(onEvents: Feed['onEvents'], signal: AbortSignal) {
  let committed = false
  let wake = () => {}
  const stop = onEvents(() => {
    committed = true
    wake()
  })
  signal.addEventListener('abort', () => {
    stop()
    wake()
  })
  const pause = (ms: number, until: () => boolean) =>
    new Promise<void>(resolve => {
      const timer = setTimeout(resolve, ms)
      wake = () => {
        if (!until()) return
        clearTimeout(timer)
        resolve()
      }
      wake()
    })
  return async (maxMs: number): Promise<void> => {
    await pause(minIntervalMs, () => signal.aborted)
    await pause(maxMs - minIntervalMs, () => committed || signal.aborted)
    committed = false
  }
}

/** Writes a message. Waits until a slow client has read it or is disconnected. */
function send({ out, slot, signal }: Client, text: string): Promise<void> {
  if (signal.aborted || out.write(text)) return Promise.resolve()
  const endStall = slot.stall()
  return new Promise(resolve => {
    const proceed = () => {
      endStall()
      out.off('drain', proceed)
      signal.removeEventListener('abort', proceed)
      resolve()
    }
    out.once('drain', proceed)
    signal.addEventListener('abort', proceed, { once: true })
  })
}
