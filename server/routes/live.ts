import type { ServerResponse } from 'node:http'
import type { FastifyPluginAsync } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { attributesOf, parseColumns } from '../../shared/columns.ts'
import { paths } from '../../shared/paths.ts'
import type { Query } from '../../shared/query.ts'
import type { Context } from '../context.ts'
import { takeOver } from '../http/hijack-reply.ts'
import { HttpError } from '../http/http-error.ts'
import { splitUrl } from '../http/request-url.ts'
import { parseQuery } from '../query/parse.ts'

const mostFollowers = 100
/** Events sent at once; where there are more it is the newest, with how many were left out. */
const mostEvents = 500
const soonestMs = 250
const heartbeatMs = 15_000

/**
 * `GET /live`: the events of a search as they are committed, as server-sent events
 * (https://html.spec.whatwg.org/multipage/server-sent-events.html). The id of each message is the cursor: a reader
 * that comes back with `Last-Event-ID` gets what it missed.
 *
 * The store is asked rather than a feed in memory: a search means here what it means on the screen, and what
 * another replica has stored is followed as well.
 */
const live: FastifyPluginAsync<{
  context: Pick<Context, 'store' | 'events' | 'draining' | 'logger'>
}> = async (fastify, { context }) => {
  const followers = new Set<AbortController>()
  fastify.addHook('preClose', async () => {
    for (const follower of followers) follower.abort()
  })

  fastify.get(paths.live(), { exposeHeadRoute: false }, async (request, reply) => {
    const params = new URLSearchParams(splitUrl(request.raw.url ?? '').search ?? '')
    const parsed = parseQuery(params.get('q') ?? '')
    if ('problem' in parsed) throw new HttpError(400, parsed.problem.message)
    if (followers.size >= mostFollowers || context.draining.aborted) {
      const message = `${mostFollowers} readers follow already: try again later`
      throw new HttpError(503, message, { 'retry-after': 10 })
    }
    const after = cursorOf(request.headers['last-event-id']) ?? cursorOf(params.get('after') ?? undefined)

    const end = new AbortController()
    followers.add(end)
    reply.raw.once('close', () => end.abort())
    const out = takeOver(reply, 200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      // A server that closes waits for connections that are kept alive.
      connection: 'close',
    })
    try {
      const attributes = attributesOf(parseColumns(params.get('columns') ?? ''))
      await follow(out, { query: parsed.query, attributes }, after, context, end.signal)
    } catch (err) {
      if (!end.signal.aborted) request.log.warn({ err }, 'A live feed ended early')
    } finally {
      followers.delete(end)
      out.end()
    }
    return reply
  })
}

async function follow(
  out: ServerResponse,
  { query, attributes }: { query: Query; attributes: readonly string[] },
  after: number | null,
  { store, events }: Pick<Context, 'store' | 'events'>,
  signal: AbortSignal,
): Promise<void> {
  // A cursor of another store may lie in this one's future.
  const present = (await store.since(null, { query, limit: 0 }, signal)).lastId
  let lastId = Math.min(after ?? present, present)
  let quietMs = 0
  // A reader that has gone by now would be listened for without end.
  signal.throwIfAborted()
  const commits = commitSignal(events, signal)
  // A message without data moves the cursor on and shows nowhere: whoever comes back need not search again.
  await send(out, `retry: 1000\nid: ${lastId}\n\n`, signal)
  while (!signal.aborted) {
    const {
      events: rows,
      missed,
      lastId: newest,
    } = await store.since(lastId, { query, limit: mostEvents, attributes }, signal)
    lastId = newest
    // What is missing lies below what is sent: it is told first.
    if (missed > 0) await send(out, `event: gap\ndata: ${JSON.stringify({ missed })}\n\n`, signal)
    if (rows.length > 0) {
      await send(out, `id: ${lastId}\nevent: events\ndata: ${JSON.stringify(rows)}\n\n`, signal)
      quietMs = 0
    }
    quietMs += await commits.next()
    if (quietMs >= heartbeatMs) {
      await send(out, `id: ${lastId}\n\n`, signal)
      quietMs = 0
    }
  }
}

/** Waits for the next commit, a quarter of a second at least and a second at most; gives how long it was. */
function commitSignal(events: Context['events'], signal: AbortSignal) {
  let committed = false
  let wake = () => {}
  const stop = events.onCommit(() => {
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
    async next(): Promise<number> {
      const beganMs = performance.now()
      await pause(soonestMs, () => signal.aborted)
      // Commits of other replicas tell nobody here: they are looked for every second.
      await pause(1000 - soonestMs, () => committed || signal.aborted)
      committed = false
      return performance.now() - beganMs
    },
  }
}

/** Writes, and waits for a slow reader; a reader that has gone ends the waiting. */
function send(out: ServerResponse, text: string, signal: AbortSignal): Promise<void> {
  if (signal.aborted || out.write(text)) return Promise.resolve()
  return new Promise(resolve => {
    const go = () => {
      out.off('drain', go)
      signal.removeEventListener('abort', go)
      resolve()
    }
    out.once('drain', go)
    signal.addEventListener('abort', go, { once: true })
  })
}

function cursorOf(text: string | string[] | undefined): number | null {
  const id = typeof text === 'string' && /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(id) ? id : null
}

export default fastifyPlugin(live, { name: 'live', fastify: '5.x', dependencies: ['headers'] })
