import t from 'tap'
import type { Attributes } from '../../../shared/event.ts'
import { spanRecords, splitName, transactionRecords } from './request-record.ts'
import { normalise, sender } from './testing.ts'

const nowMs = Date.parse('2026-11-23T08:02:00Z')
const start = nowMs / 1000 - 5
const value = (value: string | number) => ({ value, type: typeof value })
const traceId = '63279d854caf889357d584f0facdd9c3'
const request = (fields: Attributes, trace: Attributes = {}): Attributes => ({
  transaction: 'GET /cart/:id',
  start_timestamp: start,
  timestamp: start + 0.25,
  ...fields,
  contexts: { trace: { op: 'http.server', trace_id: traceId, span_id: 'c1024ed88319ed71', ...trace } },
})
const read = (transaction: Attributes) =>
  transactionRecords(transaction, sender).map(record => normalise(record, 'sentry', nowMs))

t.test('a server transaction becomes a request', async t => {
  const [event, ...others] = read(
    request(
      {
        release: 'shop@1.2.3',
        environment: 'prod',
        server_name: 'host-1',
        request: { url: 'http://shop.example/cart/7?page=2', method: 'GET' },
        tags: { plan: 'pro' },
        user: { id: 'u1' },
      },
      { data: { 'http.response.status_code': 200 }, parent_span_id: 'c7f31dbf66504bed' },
    ),
  )
  t.same(others, [])
  t.match(event, {
    timeMs: nowMs - 4750,
    severity: 'info',
    service: 'shop',
    release: '1.2.3',
    body: 'GET /cart/:id 200',
    method: 'GET',
    route: '/cart/:id',
    status: 200,
    durationMs: 250,
    traceId,
    spanId: 'c1024ed88319ed71',
    attributes: {
      'url.full': 'http://shop.example/cart/7?page=2',
      'deployment.environment.name': 'prod',
      'host.name': 'host-1',
      'user.id': 'u1',
      tags: { plan: 'pro' },
    },
  })
})

t.test('finds the status and the route wherever SDKs send them', async t => {
  const cases: [Attributes, object][] = [
    [request({}, { status: 'not_found' }), { status: 404, severity: 'info' }],
    [request({}, { status: 'internal_error' }), { status: 500, severity: 'error' }],
    [request({ tags: [['http.status_code', '503']] }), { status: 503, severity: 'error' }],
    [request({}, { data: { 'http.status_code': 201 }, status: 'ok' }), { status: 201 }],
    [request({}, { status: 'brand_new' }), { status: null }],
    [request({}, { data: { 'http.route': '/cart/{id}' } }), { route: '/cart/{id}', method: 'GET' }],
    [
      request({ transaction: '/pay' }, { data: { 'http.method': 'POST' } }),
      { route: '/pay', method: 'POST' },
    ],
    [request({ transaction: 'shop.views.pay' }), { route: 'shop.views.pay', method: null }],
    [
      request({ transaction: 'GET /cart/7', transaction_info: { source: 'url' } }, { status: 'ok' }),
      { route: null, body: 'GET /cart/7 200' },
    ],
    [request({ timestamp: start - 1 }), { durationMs: null }],
    [request({ start_timestamp: 'x' }), { durationMs: null, timeMs: nowMs - 4750 }],
    [request({ timestamp: null }), { durationMs: null, timeMs: nowMs - 5000 }],
  ]
  for (const [transaction, expected] of cases)
    t.match(read(transaction), [expected], JSON.stringify(expected))
})

t.test('keeps the microseconds of times', async t => {
  const seconds = nowMs / 1000 - 2
  const forms: [start: string | number, end: string | number][] = [
    ['2026-11-23T08:01:58.550243Z', '2026-11-23T08:01:58.825695Z'],
    ['2026-11-23T08:01:58.550243', '2026-11-23T08:01:58.825695'],
    ['2026-11-23T09:01:58.550243+01:00', '2026-11-23T09:01:58.825695+0100'],
    [seconds + 0.550243, seconds + 0.825695],
    [`${seconds}.550243`, `${seconds}.825695`],
  ]
  for (const [start_timestamp, timestamp] of forms) {
    const [event] = read(request({ start_timestamp, timestamp }))
    t.match(event, { durationMs: 275.452, timeMs: nowMs - 2000 + 825.695 }, String(timestamp))
  }
})

t.test('other transactions do not become requests', async t => {
  for (const op of ['pageload', 'queue.process', 'http.client', null, 7])
    t.same(read(request({}, { op })), [])
  for (const contexts of [null, 7, [], {}, { trace: null }])
    t.same(transactionRecords({ contexts }, sender), [])
})

t.test('a streamed server span becomes a request', async t => {
  const span = {
    name: 'GET /cart/:id',
    trace_id: traceId,
    span_id: 'c1024ed88319ed71',
    start_timestamp: start,
    end_timestamp: start + 0.5,
    status: 'error',
    attributes: {
      'sentry.op': value('http.server'),
      'http.request.method': value('GET'),
      'http.route': value('/cart/:id'),
      'http.response.status_code': value(500),
      'sentry.release': value('shop@1.2.3'),
      'url.full': value('http://shop.example/cart/7'),
    },
  }
  t.match(
    spanRecords(span, sender).map(record => normalise(record, 'sentry', nowMs)),
    [
      {
        body: 'GET /cart/:id 500',
        status: 500,
        durationMs: 500,
        severity: 'error',
        service: 'shop',
        traceId,
      },
    ],
  )
  for (const name of ['service', 'service.name']) {
    const attributes = { ...span.attributes, [name]: value('billing') }
    t.match(spanRecords({ ...span, attributes }, sender), [{ 'service.name': 'billing' }])
  }
  t.same(spanRecords({ ...span, attributes: { 'sentry.op': value('db') } }, sender), [])
})

t.test('splits names into a method and a path', async t => {
  t.same(splitName('GET /cart/:id'), { method: 'GET', path: '/cart/:id' })
  t.same(splitName('/cart'), { method: null, path: '/cart' })
  t.same(splitName('shop.views.cart'), { method: null, path: 'shop.views.cart' })
  t.same(splitName(''), { method: null, path: null })
})
