import t from 'tap'
import type { LogEvent, NewEvent } from '../../../shared/event.ts'
import { paths } from '../../../shared/paths.ts'
import { spanning } from '../../../shared/range.ts'
import { anEvent } from '../../store/conformance/testing.ts'
import type { EventQuery } from '../../store/event-store.ts'
import { openMemoryStore } from '../../store/memory/store.ts'
import type { Store } from '../../store/store.ts'
import { fakeContext, fakeRequest, testNowMs } from '../../testing/fake-context.ts'
import { activities } from './activities.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'

function stored(id: number, atMs: number, overrides: Partial<NewEvent> = {}): LogEvent {
  return { ...anEvent({ timeMs: testNowMs - 60_000 + atMs, traceId, ...overrides }), id }
}

/** A request that starts at `atMs`. */
function request(id: number, atMs: number, durationMs: number, overrides: Partial<NewEvent>): LogEvent {
  return stored(id, atMs + durationMs, {
    method: 'POST',
    route: '/pay',
    status: 200,
    durationMs,
    ...overrides,
  })
}

const shop = request(1, 0, 1000, {
  source: 'otlp',
  spanId: 'aaaaaaaaaaaaaaaa',
  route: '/checkout',
  status: 500,
  attributes: { 'span.name': 'POST /checkout' },
})
const line = stored(2, 20, { body: 'cart loaded' })
const called = {
  spanId: 'bbbbbbbbbbbbbbbb',
  service: 'pay',
  attributes: { parentSpanId: 'AAAAAAAAAAAAAAAA' },
}
const pay = request(3, 100, 300, called)

async function waterfallOf(query: string, events: LogEvent[], store: Partial<Store> = {}) {
  const queries: EventQuery[] = []
  const response = await activities.get(
    fakeRequest(query),
    fakeContext({
      store: {
        wholeEvents: async query => {
          queries.push(query)
          return { events, older: null, newer: null }
        },
        event: async id => events.find(event => event.id === id) ?? null,
        ...store,
      },
    }),
  )
  if (response.kind !== 'content') throw new Error('Expected content')
  const { waterfall, open } = response.content
  return { waterfall, links: open?.links ?? {}, queries }
}

t.test('a search for a trace shows its events from all services, ordered by start time', async t => {
  const { waterfall, queries } = await waterfallOf(`q=trace:${traceId}`, [shop, pay, line])
  t.match(queries, [{ query: { kind: 'field', field: 'trace', value: traceId, literal: true } }])
  t.match(waterfall, {
    by: 'trace',
    isSearch: true,
    shown: 'all',
    total: 3,
    services: ['shop', 'pay'],
    lengthMs: 1000,
    skews: [],
    lines: [
      { kind: 'event', id: 1, request: 'POST /checkout 500', isFailed: true, left: 0, width: 100 },
      { kind: 'event', id: 2, request: null, text: 'cart loaded', isFailed: false, left: 2, width: 0 },
      { kind: 'event', id: 3, request: 'POST /pay 200', left: 10, width: 30 },
      { kind: 'gap', gapMs: 300, left: 10, width: 30 },
      { kind: 'gap', gapMs: 600, left: 40, width: 60 },
    ],
  })
})

t.test('a request without a route shows its path', async t => {
  const pinoHttp = request(1, 0, 12, {
    method: 'GET',
    route: null,
    attributes: { req: { url: '/carts/7?a=b' } },
  })
  const { waterfall } = await waterfallOf(`q=trace:${traceId}`, [pinoHttp])
  t.match(waterfall, { lines: [{ request: 'GET /carts/7 200' }] })
})

t.test('an open event shows its trace or, without a trace, its request', async t => {
  const { waterfall, queries } = await waterfallOf('event=2', [shop, line])
  t.match(waterfall, { by: 'trace', id: traceId, isSearch: false })
  t.match(waterfall?.logHref, /^\/activities\?q=trace:4bf92f3577b34da6a3ce929d0e0e4736&from=/)
  const { window } = queries[0] ?? {}
  t.ok(window && window.fromMs <= line.timeMs && line.timeMs < window.toMs)

  const alone = stored(9, 0, { traceId: null, requestId: 'req-*' })
  const request = await waterfallOf('event=9', [alone])
  t.match(request.waterfall, { by: 'request', id: 'req-*', total: 1, lengthMs: 0 })
  t.match(request.queries, [{ query: { field: 'request', value: 'req-*', literal: true } }])
})

t.test('an open event links to its whole trace and request, regardless of the range of the log', async t => {
  const open = { ...shop, requestId: 'r-4711' }
  const second = spanning(open.timeMs, open.timeMs + 1000)
  for (const range of [second, { span: '5m' } as const, undefined]) {
    const { search } = new URL(paths.activities({ range, columns: 'message', event: 1 }), 'http://localhost')
    const { waterfall, links, queries } = await waterfallOf(search, [open, pay, line])
    t.equal(waterfall?.total, 3)
    const whole = { range: queries[0]?.window, columns: 'message' }
    t.equal(links.trace, paths.activities({ q: `trace:${traceId}`, ...whole }))
    t.equal(links.request, paths.activities({ q: 'request:r-4711', ...whole }))
  }
  t.match((await waterfallOf('event=9', [stored(9, 0, { traceId: null })])).links, {
    trace: undefined,
    request: undefined,
  })
})

/** Stores a failed request of `shop`, and an earlier failure of `pay` with the same request id. */
async function sharedIdStore(requestId: string, traceId: string | null = null) {
  const failed = { requestId, traceId, severity: 'error' } as const
  const store = openMemoryStore({ nowMs: () => testNowMs })
  await store.append([
    stored(0, -1_200_000, { ...failed, service: 'pay', body: 'card declined', fingerprint: 'ofpay' }),
    stored(0, 10, { ...failed, service: 'shop', body: 'cart lost', fingerprint: 'ofshop' }),
    stored(0, 20, { ...failed, service: 'shop', body: 'request completed', status: 500, durationMs: 20 }),
  ])
  const window = { fromMs: 0, toMs: testNowMs }
  const { signal } = new AbortController()
  const { events } = await store.events({ window, query: { kind: 'all' }, limit: 1 }, signal)
  return { store, id: events[0]?.id }
}

t.test('a request id that is unique only within a process does not join services', async t => {
  for (const requestId of ['req-7', '7']) {
    const { store, id } = await sharedIdStore(requestId)
    const own = paths.activities({ q: `request:${requestId} service:shop` }).replace(/^.*\?/, '')
    for (const search of ['', `${own}&range=1h&`, `q=service:shop+request:${requestId}&range=1h&`]) {
      const { waterfall, links } = await waterfallOf(`${search}event=${id}`, [], store)
      t.match(waterfall, { by: 'request', id: requestId, total: 2, services: ['shop'] }, search)
      t.equal(waterfall?.isSearch, search.startsWith(own))
      for (const href of [waterfall?.logHref, links.request]) t.match(href, `/activities?${own}&from=`)
      t.equal(links.failure, '/development?failure=ofshop')
    }
    const all = await waterfallOf(`q=request:${requestId}&range=1h&event=${id}`, [], store)
    t.match(all.waterfall, { isSearch: true, services: ['pay', 'shop'] }, 'the visitor searched all services')
    t.equal(all.links.failure, '/development?failure=ofshop')
    const other = await waterfallOf(`q=request:${requestId}+service:pay&range=1h&event=${id}`, [], store)
    t.match(other.waterfall, { services: ['pay'], total: 1 })
    t.equal(other.links.failure, undefined)
  }
})

t.test('other ids join services, and the first failure may be in another service', async t => {
  for (const [requestId, trace] of [
    ['r-4711', null],
    ['req-7', traceId],
  ] as const) {
    const { store, id } = await sharedIdStore(requestId, trace)
    const { waterfall, links } = await waterfallOf(`event=${id}`, [], store)
    t.match(waterfall, { total: 3, services: ['pay', 'shop'] })
    t.equal(links.failure, '/development?failure=ofpay')
  }
  const search = await waterfallOf(`q=request:r-4711+service:shop&range=1h`, [shop])
  t.equal(search.waterfall, null, 'not the whole request')
})

t.test('other searches, and events without a trace or request, show no waterfall', async t => {
  for (const q of ['', 'shop', `trace:${traceId} shop`, `-trace:${traceId}`, 'trace:4bf*', 'trace:*']) {
    t.equal((await waterfallOf(`q=${q}`, [shop])).waterfall, null, q)
  }
  t.equal((await waterfallOf('event=9', [stored(9, 0, { traceId: null })])).waterfall, null)
  t.equal((await waterfallOf(`q=trace:${traceId}`, [])).waterfall, null)
})

t.test('a large trace is reduced to notable events and the open event', async t => {
  const counts = { trace: 0, debug: 0, info: 480, warn: 15, error: 5, fatal: 0 }
  const { waterfall } = await waterfallOf('event=2', [line], {
    wholeEvents: async ({ query }) =>
      query.kind === 'field'
        ? { events: [], older: 'more', newer: null }
        : { events: [shop, pay], older: null, newer: null },
    histogram: async () => [{ startMs: 0, counts }],
  })
  t.match(waterfall, { shown: 'notable', total: 500 })
  t.same(
    waterfall?.lines.map(each => (each.kind === 'event' ? each.id : each.kind)),
    [1, 2, 3],
    'no pauses if events are omitted',
  )
})

t.test('the period and the first failure of a trace with too many notable events are unknown', async t => {
  const failed = stored(2, 20, { fingerprint: 'a41c09be72' })
  const completed = stored(3, 30, { status: 500 })
  const counts = { trace: 0, debug: 0, info: 0, warn: 0, error: 5000, fatal: 0 }
  let searched = { fromMs: 0, toMs: 0 }
  const { waterfall, links } = await waterfallOf('event=3', [failed, completed], {
    wholeEvents: async () => ({ events: [failed, completed], older: 'more', newer: null }),
    histogram: async ({ window }) => {
      searched = window
      return [{ startMs: 0, counts }]
    },
  })
  t.match(waterfall, { shown: 'newest', total: 5000 })
  t.equal(links.failure, undefined)
  const range = spanning(searched.fromMs, searched.toMs)
  t.equal(waterfall?.logHref, paths.activities({ q: `trace:${traceId}`, range }))
})

t.test('a long message is truncated without splitting a character', async t => {
  const { waterfall } = await waterfallOf(`q=trace:${traceId}`, [stored(1, 0, { body: '😀'.repeat(5000) })])
  t.match(waterfall?.lines, [{ text: '😀'.repeat(200) }])
})

const skewsOf = async (...events: LogEvent[]) =>
  (await waterfallOf(`q=trace:${traceId}`, events)).waterfall?.skews

t.test('reports a clock as behind if a request starts before its caller', async t => {
  const early = request(3, -180, 300, called)
  const later = request(4, -50, 10, { ...called, spanId: 'cccccccccccccccc' })
  t.same(await skewsOf(shop, later, early), [
    { kind: 'behind', service: 'pay', other: 'shop', minSkewMs: 180 },
  ])
  t.same(await skewsOf(shop, request(3, -8, 300, called)), [], 'rounding is not clock skew')
})

t.test('reports a clock as behind if a request starts before the root of its trace', async t => {
  const between = { ...called, attributes: { parent_span_id: 'dddddddddddddddd' } }
  t.match(await skewsOf(shop, request(3, -180, 300, between)), [{ kind: 'behind', minSkewMs: 180 }])
  t.same(await skewsOf(shop, request(3, 1500, 300, between)), [], 'work after the response is not clock skew')
  const early = request(3, -180, 300, between)
  t.same(
    await skewsOf({ ...shop, source: 'ndjson' }, early),
    [],
    'a log line that may have an unknown parent',
  )
  t.same(await skewsOf({ ...shop, attributes: {} }, early), [], 'an OTLP log line')
})

t.test('reports a clock as ahead if a request starts after its caller has ended', async t => {
  t.same(await skewsOf(shop, request(3, 1400, 300, called)), [
    { kind: 'ahead', service: 'pay', other: 'shop', minSkewMs: 400 },
  ])
})

t.test('reports no clock skew if the evidence is contradictory', async t => {
  const early = request(3, -180, 300, called)
  const late = request(4, 1400, 300, { ...called, spanId: 'cccccccccccccccc' })
  t.same(await skewsOf(shop, early, late), [], 'behind and ahead')
  t.same(await skewsOf(shop, { ...shop, id: 8, timeMs: shop.timeMs + 5000 }, early), [], 'a duplicate caller')
  const query = request(5, 500, 3, { spanId: 'aaaaaaaaaaaaaaaa', method: null, route: null, status: null })
  t.match(
    await skewsOf(shop, query, early),
    [{ kind: 'behind', minSkewMs: 180 }],
    'a log line of the same span is not a caller',
  )
})

t.test('reports no clock skew if the caller is unknown', async t => {
  const early = request(3, -180, 300, { service: 'pay', spanId: 'bbbbbbbbbbbbbbbb' })
  t.same(await skewsOf(shop, early), [], 'two roots')
  t.same(await skewsOf({ ...shop, spanId: null }, { ...early, spanId: null }), [])
  t.same(await skewsOf(shop, request(3, -180, 300, { ...called, service: 'shop' })), [], 'same service')
})
