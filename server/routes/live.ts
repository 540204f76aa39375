import type { ServerResponse } from 'node:http'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import pLimit, { type LimitFunction } from 'p-limit'
import { attributesOf, parseColumns } from '../../shared/columns.ts'
import { paths } from '../../shared/paths.ts'
import type { Query } from '../../shared/query.ts'
import { visibleStore } from '../auth/visible-store.ts'
import type { Context } from '../context.ts'
import { hijackReply } from '../http/hijack-reply.ts'
import { HttpError } from '../http/http-error.ts'
import { onceClosed } from '../http/once-closed.ts'
import { searchParamsOf } from '../http/request-url.ts'
import { readAccess, userOf } from '../http/route-access.ts'
import { routeDependencies } from '../http/route-dependencies.ts'
import { withoutOwnEvents } from '../query/own-events.ts'
import { parseQuery } from '../query/parse.ts'
import type { Position } from '../store/event-store.ts'
import type { Store } from '../store/store.ts'
import { formatMessage } from './live-message.ts'
import { createReaderSlots, type ReaderLimits, type ReaderSlot } from './reader-slots.ts'
import { noFreeSlot, stallLimits, takeSlot } from './take-slot.ts'

/** After a minute, a feed may be dropped in favour of another client, because browsers reconnect and miss nothing. */
export const liveLimits: ReaderLimits = {
  maxReaders: 100,
  maxReadersPerClient: 20,
  minTurnMs: 60_000,
  ...stallLimits,
}
const liveStreamTexts = { name: 'a live feed', busyMessage: 'Too many live feeds are open' }
/** Limits memory: a commit wakes all feeds together, and a query result is larger than the resulting message. */
const maxConcurrentQueries = 1
/** If there are more events, only the newest are sent, with the number of missed events. */
const maxEventsPerMessage = 500
const minIntervalMs = 250
const heartbeatMs = 15_000

/**
 * `GET /live`: streams the events that match a search as they are committed, as server-sent events
 * (https://html.spec.whatwg.org/multipage/server-sent-events.html). The id of each message is a cursor: a client that
 * reconnects with `Last-Event-ID` gets the events it missed. At most one message is buffered for each client, and a client
 * that reads too slowly is disconnected. Browsers reconnect automatically.
 *
 * Events are read from the store, not from memory, so that a search matches the same events as on the screen.
 */
const live: FastifyPluginAsync<{
  context: Pick<Context, 'store' | 'events'>
  limits?: ReaderLimits
}> = async (fastify, { context, limits = liveLimits }) => {
  const slots = createReaderSlots(limits)
  const queryLimit = pLimit(maxConcurrentQueries)
  const subscribe = (listener: () => void) => {
    const stops = [context.events.onCommit(listener), context.store.replicas.onEvents(listener)]
    return () => {
      for (const stop of stops) stop()
    }
  }
  const followers = new Set<AbortController>()
  let closing = false
  fastify.addHook('preClose', async () => {
    closing = true
    for (const follower of followers) follower.abort()
  })

  fastify.get(
    paths.live(),
    { exposeHeadRoute: false, config: { access: readAccess } },
    async (request, reply) => {
      const params = searchParamsOf(request)
      const parsed = parseQuery(params.get('q') ?? '')
      if ('problem' in parsed) throw new HttpError(400, parsed.problem.message)
      const after =
        parseCursor(request.headers['last-event-id']) ?? parseCursor(params.get('after') ?? undefined)

      const store = visibleStore(context.store, userOf(request))
      if (closing) throw noFreeSlot(liveStreamTexts.busyMessage)
      const end = new AbortController()
      const slot = takeSlot(slots, request, liveStreamTexts, () => end.abort())
      followers.add(end)
      onceClosed(reply, () => end.abort())
      const out = hijackReply(reply, 200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
        // Otherwise, the server would wait for keep-alive connections when it closes.
        connection: 'close',
      })
      try {
        const attributes = attributesOf(parseColumns(params.get('columns') ?? ''))
        const search = { query: withoutOwnEvents(parsed.query), attributes }
        await follow(
          { out, slot, signal: end.signal },
          search,
          after,
          { store, onEvents: subscribe, hasAccess: request.hasAccess },
          queryLimit,
        )
      } catch (err) {
        if (!end.signal.aborted) request.log.warn({ err }, 'A live feed ended early')
      } finally {
        slot.release()
        followers.delete(end)
        out.end()
      }
      return reply
    },
  )
}

type Feed = Pick<FastifyRequest, 'hasAccess'> & {
  store: Pick<Store, 'since'>
  /** Calls the listener after events are stored. Returns a function that unsubscribes. */
  onEvents(listener: () => void): () => void
}
type Client = { out: ServerResponse; slot: ReaderSlot; signal: AbortSignal }

async function follow(
  client: Client,
  { query, attributes }: { query: Query; attributes: readonly string[] },
  after: Position | null,
  { store, onEvents, hasAccess }: Feed,
  queryLimit: LimitFunction,
): Promise<void> {
  const { signal } = client
  let position = after ?? (await store.since(null, { query, limit: 0 }, signal)).position
  let quietMs = 0
  // If the client has already disconnected, nothing would remove its listener.
  signal.throwIfAborted()
  const commits = commitSignal(onEvents, signal)
  // A message without data is invisible but advances the cursor, so that a reconnect does not search the same events again.
  // A cursor from the client is not sent back, because the store has not checked it yet.
  await send(client, after === null ? `retry: 1000\nid: ${position}\n\n` : 'retry: 1000\n\n')
  while (!signal.aborted && (await hasAccess())) {
    const message = await queryLimit(async () => {
      const update = await store.since(position, { query, limit: maxEventsPerMessage, attributes }, signal)
      position = update.position
      return formatMessage(update)
    })
    if (message !== '') {
      await send(client, message)
      quietMs = 0
    }
    quietMs += await commits.next(heartbeatMs - quietMs)
    if (quietMs >= heartbeatMs) {
      await send(client, `id: ${position}\n\n`)
      quietMs = 0
    }
  }
}

/**
 * `next` waits for the next commit, between 250 ms and `maxMs`. It returns the waiting time in milliseconds.
 */
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
  return {
    async next(maxMs: number): Promise<number> {
      const startMs = performance.now()
      await pause(minIntervalMs, () => signal.aborted)
      await pause(maxMs - minIntervalMs, () => committed || signal.aborted)
      committed = false
      return performance.now() - startMs
    },
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

/**
 * Accepts only digits and dots, because other characters could end the `id:` line in which a message repeats the position.
 * The store ignores positions that it cannot read.
 */
function parseCursor(text: string | string[] | undefined): Position | null {
  return typeof text === 'string' && /^[\d.]{1,1100}$/.test(text) ? text : null
}

export default fastifyPlugin(live, { name: 'live', fastify: '5.x', dependencies: routeDependencies })
