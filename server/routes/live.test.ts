import { once } from 'node:events'
import { connect } from 'node:net'
import Fastify from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import t, { type Test } from 'tap'
import type { EventRow, LogEvent } from '../../shared/event.ts'
import { paths } from '../../shared/paths.ts'
import { until } from '../../shared/testing/until.ts'
import { fakeContext } from '../testing/fake-context.ts'
import { stubPlugins } from '../testing/stub-plugins.ts'
import live, { liveLimits } from './live.ts'

type Message = { id?: string; event?: string; data?: string }

/**
 * Starts the live-feed route with an in-memory store. A text search matches messages that contain the text.
 * `X-Forwarded-For` sets a client's address.
 */
async function feed(t: Test, limits = liveLimits) {
  const rows: EventRow[] = []
  /** The messages of events that another replica has stored, and that this replica has not read yet. */
  const unread: string[] = []
  const readAll = () => {
    for (const body of unread.splice(0)) rows.push(row(rows.length + 1, body))
  }
  const listeners = new Set<(events: readonly LogEvent[]) => void>()
  let queryCount = 0
  const fake = fakeContext()
  const context = fakeContext({
    store: {
      replicas: { ...fake.store.replicas, refresh: async () => readAll() },
      events: async ({ window: { fromMs, toMs } }) => {
        const events = rows.filter(({ timeMs }) => timeMs >= fromMs && timeMs < toMs)
        return { events: events.toReversed(), older: null, newer: null }
      },
      since: async (after, { query, limit }) => {
        const lastId = rows.at(-1)?.id ?? 0
        const end = { lastId, position: String(lastId) }
        const afterId = Number(after ?? lastId)
        if (afterId >= lastId) return { events: [], missed: 0, ...end }
        queryCount += 1
        // A search leaves out Sixpane's own events.
        const text = query.kind === 'and' && query.left.kind === 'text' ? query.left.text : ''
        const matching = rows.filter(({ body }) => body.includes(text))
        const newer = matching.filter(({ id }) => id > afterId)
        return { events: newer.slice(-limit), missed: Math.max(newer.length - limit, 0), ...end }
      },
    },
    events: {
      ...fake.events,
      onCommit: listener => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    },
  })
  const app = Fastify({ forceCloseConnections: 'idle', trustProxy: true })
  const headers = fastifyPlugin(
    async fastify => {
      fastify.addHook('onRequest', async (_request, reply) => {
        reply.header('x-every', 'response')
      })
    },
    { name: 'headers' },
  )
  app.register(headers)
  stubPlugins(app, ['cross-site', 'authentication'])
  app.register(live, { context, limits })
  app.get('/endless', () => new Promise(() => {}))
  await app.listen({ port: 0, host: '127.0.0.1' })
  t.teardown(() => app.close())

  const write = (...bodies: string[]) => {
    unread.push(...bodies)
    readAll()
    for (const listener of listeners) listener([])
  }
  const get = (href: string, init: RequestInit = {}) => fetch(`${app.listeningOrigin}${href}`, init)
  /** Connects a client that does not read. Resolves when the server has closed the connection. */
  const stalledClient = (address: string) => {
    const socket = connect(Number(new URL(app.listeningOrigin).port), '127.0.0.1').pause()
    t.teardown(() => socket.destroy())
    socket.on('error', () => {})
    const closed = once(app.server, 'connection').then(([serverSocket]) => once(serverSocket, 'close'))
    socket.write(
      `GET ${paths.live({ after: '0' })} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${address}\r\n\r\n`,
    )
    return closed
  }
  return { app, get, write, unread, queryCount: () => queryCount, listeners, stalledClient }
}

function from(address: string): RequestInit {
  return { headers: { 'x-forwarded-for': address } }
}

function row(id: number, body: string): EventRow {
  const none = { release: null, requestId: null, traceId: null, method: null, route: null, status: null }
  const rest = {
    durationMs: null,
    digest: null,
    fingerprint: null,
    exceptionType: null,
    exceptionMessage: null,
  }
  return { id, timeMs: id, severity: 'info', service: 'a', source: 'ndjson', body, ...none, ...rest }
}

/** Reads the messages in a response one by one. */
async function* messages(response: Response): AsyncGenerator<Message> {
  let text = ''
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const lines = text.slice(0, end).split('\n')
      text = text.slice(end + 2)
      yield Object.fromEntries(
        lines.map(line => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
      )
    }
  }
}

async function next(from: AsyncGenerator<Message>): Promise<Message & { bodies: string[] }> {
  const { value, done } = await from.next()
  if (done) throw new Error('The feed has ended')
  const rows: EventRow[] = value.event === 'events' ? JSON.parse(value.data ?? '') : []
  return { ...value, bodies: rows.map(({ body }) => body) }
}

t.test('streams only events committed after the client connected', async t => {
  const { get, write } = await feed(t)
  write('before')
  const response = await get(paths.live())
  t.match(response, { status: 200 })
  t.match(response.headers.get('content-type'), /^text\/event-stream/)
  t.equal(response.headers.get('cache-control'), 'no-store')
  t.equal(response.headers.get('x-every'), 'response')
  const sent = messages(response)
  t.match(await next(sent), { id: '1', retry: String })
  write('one', 'two')
  t.match(await next(sent), { id: '3', event: 'events', bodies: ['one', 'two'] })
  write('three')
  t.match(await next(sent), { id: '4', event: 'events', bodies: ['three'] })
})

t.test('streams only events that match the search', async t => {
  const { get, write } = await feed(t)
  const sent = messages(await get(paths.live({ q: 'card' })))
  await next(sent)
  write('tea', 'card declined', 'coffee')
  t.match(await next(sent), { id: '3', bodies: ['card declined'] })
})

t.test('a client that reconnects with Last-Event-ID gets the events that it missed', async t => {
  const { get, write } = await feed(t)
  write('one', 'two', 'three')
  const after = messages(await get(paths.live({ after: '1' })))
  await next(after)
  t.match(await next(after), { id: '3', bodies: ['two', 'three'] })
  const reconnected = messages(await get(paths.live({ after: '1' }), { headers: { 'last-event-id': '2' } }))
  await next(reconnected)
  t.match(await next(reconnected), { id: '3', bodies: ['three'] })
})

t.test('does not repeat the events on a page that another replica sent', async t => {
  const { get, write, unread } = await feed(t)
  unread.push('on the page')
  const sent = messages(await get(paths.live({ after: '1' })))
  await next(sent)
  write('new')
  t.match(await next(sent), { id: '2', bodies: ['new'] })
})

t.test('starts with the stored events that are newer than the page, because their clock is fast', async t => {
  const { get, write } = await feed(t)
  write('on the page', 'ahead', 'new')
  // The time of an event in this test is its id.
  const href = paths.live({ after: '2-2' })
  const sent = messages(await get(href))
  await next(sent)
  t.match(await next(sent), { id: '3', bodies: ['ahead', 'new'] })
  write('newer')
  t.match(await next(sent), { id: '4', bodies: ['newer'] })
  const reconnected = messages(await get(href, { headers: { 'last-event-id': '4' } }))
  await next(reconnected)
  write('newest')
  t.match(await next(reconnected), { id: '5', bodies: ['newest'] })
})

t.test('a feed with a cursor beyond the newest event starts at the newest event', async t => {
  const { get, write } = await feed(t)
  write('one')
  const sent = messages(await get(paths.live({ after: '900' })))
  await next(sent)
  write('two')
  t.match(await next(sent), { id: '2', bodies: ['two'] })
})

t.test('sends a gap message if a client missed too many events', async t => {
  const { get, write } = await feed(t)
  write(...Array.from({ length: 1200 }, (_, index) => `event ${index + 1}`))
  const sent = messages(await get(paths.live({ after: '0' })))
  await next(sent)
  t.match(await next(sent), { event: 'gap', data: '{"missed":700}' })
  const newest = await next(sent)
  t.equal(newest.id, '1200')
  t.equal(newest.bodies.length, 500)
  t.equal(newest.bodies[0], 'event 701')
  t.equal(newest.bodies.at(-1), 'event 1200')
  write('event 1201')
  t.match(await next(sent), { bodies: ['event 1201'] })
})

t.test('rejects an invalid search', async t => {
  const { get } = await feed(t)
  const response = await get(paths.live({ q: '(open' }))
  t.equal(response.status, 400)
  t.match(await response.json(), { error: 'Bad Request', message: String })
})

t.test('limits the number of clients, and frees a slot on disconnect', async t => {
  const { get, listeners } = await feed(t)
  const disconnect = new AbortController()
  const first = await get(paths.live(), { ...from('192.0.2.0'), signal: disconnect.signal })
  t.equal(first.status, 200)
  const others = await Promise.all(
    Array.from({ length: 99 }, (_, index) => get(paths.live(), from(`192.0.2.${index + 1}`))),
  )
  t.ok(others.every(({ status }) => status === 200))
  const rejected = await get(paths.live(), from('192.0.2.100'))
  t.equal(rejected.status, 503)
  t.ok(rejected.headers.has('retry-after'))
  const freed = new Promise<void>(resolve => {
    const { delete: remove } = listeners
    listeners.delete = listener => {
      resolve()
      return remove.call(listeners, listener)
    }
  })
  disconnect.abort()
  await freed
  for (let status = 503; status !== 200; ) status = (await get(paths.live(), from('192.0.2.100'))).status
  t.equal(listeners.size, 100)
})

t.test('by default, allows 100 feeds, 20 per client address, and stalls of 30 seconds', async t => {
  t.same(liveLimits, {
    maxReaders: 100,
    maxReadersPerClient: 20,
    maxStallMs: 30_000,
    minStallMs: 1000,
    minTurnMs: 60_000,
  })
})

t.test('limits the number of feeds per client address or IPv6 network', async t => {
  const { get } = await feed(t)
  for (const address of ['192.0.2.1', '2001:db8::1']) {
    const all = await Promise.all(Array.from({ length: 20 }, () => get(paths.live(), from(address))))
    t.ok(all.every(({ status }) => status === 200))
    t.equal((await get(paths.live(), from(address))).status, 503)
  }
  t.equal((await get(paths.live(), from('2001:db8::ffff'))).status, 503)
  t.equal((await get(paths.live(), from('192.0.2.2'))).status, 200)
})

/** Larger than the kernel's buffers for a connection. */
const hugeText = 'x'.repeat(32 * 1024 * 1024)

t.test('if all slots are taken, a new client replaces a client that does not read', async t => {
  const { get, write, stalledClient } = await feed(t, { ...liveLimits, maxReaders: 1, minStallMs: 0 })
  write('first', hugeText)
  const closed = stalledClient('192.0.2.1')
  const response = await until(
    () => get(paths.live(), from('192.0.2.2')),
    ({ status }) => status === 200,
  )
  const received = messages(response)
  await next(received)
  write('second')
  t.match(await next(received), { bodies: ['second'] }, 'the new client gets events')
  await closed
})

t.test(
  'if all slots are taken by clients that are not stalled, the oldest is disconnected in favour of a new one',
  async t => {
    const { get, write, stalledClient } = await feed(t, { ...liveLimits, maxReaders: 2, minTurnMs: 0 })
    const closed = stalledClient('192.0.2.1')
    const second = messages(await get(paths.live(), from('192.0.2.2')))
    await next(second)
    const third = messages(await get(paths.live(), from('192.0.2.3')))
    await closed
    await next(third)
    write('news')
    t.match([await next(second), await next(third)], [{ bodies: ['news'] }, { bodies: ['news'] }])
  },
)

t.test('a client that does not read in time is disconnected, and its slot is released', async t => {
  const { get, write, stalledClient } = await feed(t, { ...liveLimits, maxReaders: 1, maxStallMs: 1 })
  write(hugeText)
  await stalledClient('192.0.2.1')
  t.equal((await get(paths.live(), from('192.0.2.2'))).status, 200)
})

t.test('a feed that waits for an earlier response ends when the client disconnects', async t => {
  const { app, listeners } = await feed(t)
  const connected = once(app.server, 'connection')
  const socket = connect(Number(new URL(app.listeningOrigin).port), '127.0.0.1')
  t.teardown(() => socket.destroy())
  const requests = ['/endless', paths.live()].map(url => `GET ${url} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  socket.write(requests.join(''))
  const [serverSocket] = await connected
  await until(() => listeners.size > 0)
  serverSocket.destroy()
  await once(serverSocket, 'close')
  t.equal(listeners.size, 0)
})

t.test('closing the server ends live feeds', async t => {
  const { app, get } = await feed(t)
  const sent = messages(await get(paths.live()))
  await next(sent)
  await app.close()
  t.match(await sent.next(), { done: true })
})

t.test('HEAD requests do not open a feed', async t => {
  const { get, listeners } = await feed(t)
  t.equal((await get(paths.live(), { method: 'HEAD' })).status, 404)
  t.equal(listeners.size, 0)
})

t.test('reads no events from the store until one is committed', async t => {
  const { get, write, queryCount } = await feed(t)
  const quiet = messages(await get(paths.live()))
  await next(quiet)
  t.equal(queryCount(), 0)
  write('one')
  await next(quiet)
  t.equal(queryCount(), 1)
})
