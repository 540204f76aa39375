import type { FastifyPluginAsync } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import pLimit from 'p-limit'
import { attributesOf, parseColumns } from '../../shared/columns.ts'
import { paths } from '../../shared/paths.ts'
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
import { type FeedStart, followEvents } from './live-feed.ts'
import { createReaderSlots, type ReaderLimits } from './reader-slots.ts'
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
/**
 * `GET /live`: streams the events that match a search as they are committed, as server-sent events
 * (https://html.spec.whatwg.org/multipage/server-sent-events.html). A client that reconnects with the id of a message in
 * `Last-Event-ID` gets the events that it missed, so a client that reads too slowly is disconnected. Reads events from the
 * store instead of memory, so that a search matches the same events in a feed as in the log.
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
      const start =
        parseStart(request.headers['last-event-id']) ?? parseStart(params.get('after')) ?? newEventsOnly

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
        // The position may be from another replica.
        await store.replicas.refresh()
        await followEvents(
          { out, slot, signal: end.signal },
          search,
          start,
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

const newEventsOnly: FeedStart = { after: null, shownToMs: null }

/**
 * Reads a position, such as `41` or, in the URL of a page, `41-1795903200000` with the time at which the page ends. Accepts
 * only digits and dots in positions, because other characters could end the `id:` line in which a message repeats the
 * position. The store ignores positions that it cannot read.
 */
function parseStart(text: string | string[] | null | undefined): FeedStart | null {
  const [, after, shownTo] = /^([\d.]{1,1100})(?:-(\d{1,15}))?$/.exec(String(text)) ?? []
  return after === undefined ? null : { after, shownToMs: shownTo === undefined ? null : Number(shownTo) }
}

export default fastifyPlugin(live, { name: 'live', fastify: '5.x', dependencies: routeDependencies })
