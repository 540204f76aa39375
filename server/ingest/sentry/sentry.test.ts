import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { QueueFullError } from '../../events/events.ts'
import { HttpError } from '../../http/http-error.ts'
import { envelopeOf, eventItem, logItem, shopOrigin, spanItem, startSentry } from './testing.ts'

const hourMs = 3_600_000
const seconds = (ms: number) => ms / 1000
const id = 'fd0f0f3f2a7a4b6d9d9a3c1f0f6e2b11'
const traceId = '0af7651916cd43dd8448eb211c80319c'

const event = {
  event_id: id,
  platform: 'node',
  timestamp: seconds(Date.now() - 2000),
  exception: {
    values: [
      {
        type: 'TypeError',
        value: 'no total',
        stacktrace: {
          frames: [
            { filename: '/app/node_modules/router/index.js', function: 'next', lineno: 163, colno: 13 },
            { filename: '/app/src/cart.js', function: 'Cart.total', lineno: 7, colno: 11 },
          ],
        },
        mechanism: { type: 'auto.http.express', handled: false },
      },
    ],
  },
}

t.test('stores an event with its exception and other fields, but without secrets', async t => {
  const { post, stored, ignored, rejected } = await startSentry(t)
  const timeMs = Date.now() - 5000
  const full = {
    ...event,
    timestamp: seconds(timeMs),
    release: '1.4.0',
    environment: 'prod',
    server_name: 'host-1',
    transaction: 'POST /cart/:id',
    user: { id: 'u1', email: 'ada@shop.example', username: 'ada', ip_address: '192.0.2.1' },
    request: {
      url: 'https://shop.example/cart/7',
      query_string: 'page=2',
      method: 'POST',
      headers: { 'User-Agent': 'curl', Cookie: 'sid=secret', Authorization: 'Bearer secret' },
      cookies: { sid: 'secret' },
      data: 'card=secret',
    },
    tags: { plan: 'pro' },
    extra: { attempt: 3 },
    contexts: { trace: { trace_id: traceId, span_id: 'b7ad6b7169203331' }, cart: { size: 2 } },
    breadcrumbs: [{ timestamp: seconds(timeMs - 10), category: 'cart', message: 'loaded' }],
    sdk: { name: 'sentry.javascript.node', version: '10.1.0' },
  }
  const response = await post(envelopeOf([eventItem(full)]), { url: '/shop/api/1/envelope/' })
  t.equal(response.status, 200)
  t.same(JSON.parse(response.body), { id })
  t.equal(stored.length, 1)
  t.match(stored[0], {
    timeMs,
    severity: 'error',
    service: 'shop',
    release: '1.4.0',
    source: 'sentry',
    body: 'no total',
    traceId,
    spanId: 'b7ad6b7169203331',
    method: 'POST',
    route: '/cart/:id',
    exception: {
      type: 'TypeError',
      message: 'no total',
      stack:
        'TypeError: no total\n    at Cart.total (/app/src/cart.js:7:11)\n    at next (/app/node_modules/router/index.js:163:13)',
    },
    fingerprint: /^[\da-f]{10}$/,
    attributes: {
      event_id: id,
      mechanism: 'auto.http.express',
      handled: false,
      'deployment.environment.name': 'prod',
      'host.name': 'host-1',
      'url.full': 'https://shop.example/cart/7?page=2',
      'user_agent.original': 'curl',
      'user.id': 'u1',
      'user.email': 'ada@shop.example',
      'user.name': 'ada',
      'client.address': '192.0.2.1',
      tags: { plan: 'pro' },
      extra: { attempt: 3 },
      contexts: { cart: { size: 2 } },
      breadcrumbs: [{ time: new Date(timeMs - 10).toISOString(), category: 'cart', message: 'loaded' }],
      'telemetry.sdk.name': 'sentry.javascript.node',
    },
  })
  t.notMatch(JSON.stringify(stored), 'secret')
  t.same(ignored, {})
  t.equal(rejected(), 0)
})

t.test("an event without an id gets its envelope's id", async t => {
  const { post, stored, keys } = await startSentry(t)
  const { event_id: _, ...without } = event
  const bodies = [
    envelopeOf([eventItem(without)], { event_id: id }),
    envelopeOf([eventItem(without)], { event_id: id.replace('f', 'e') }),
  ]
  for (const body of bodies) await post(body)
  t.same(JSON.parse((await post(bodies[0] ?? '')).body), { id })
  t.match(stored, [{ digest: id, attributes: { event_id: id } }, { digest: id.replace('f', 'e') }, {}])
  t.equal(new Set(keys).size, 2)
})

t.test('finds the service in the DSN, tag or release, in that order, or uses the project', async t => {
  const { post, stored } = await startSentry(t)
  const tagged = { ...event, tags: { service: 'tagged' }, release: '@shop/web@1.2.3' }
  const released = { ...event, release: '@shop/web@1.2.3' }
  for (const [url, sent] of [
    ['/shop/api/1/envelope/', tagged],
    ['/api/1/envelope/', tagged],
    ['/api/1/envelope/', { ...tagged, tags: [['service.name', 'pair']] }],
    ['/api/1/envelope/', released],
    ['/api/42/envelope/', { ...event, release: '1.2.3' }],
    ['/a%20b/api/1/envelope/', event],
    ['/sixpane/api/1/envelope/', event],
  ] as const) {
    t.equal((await post(envelopeOf([eventItem(sent)]), { url })).status, 200)
  }
  await post(envelopeOf([[{ type: 'feedback' }, { tags: { service: 'tagged' } }]]))
  t.match(stored, [
    { service: 'shop', release: '1.2.3' },
    { service: 'tagged', release: '1.2.3' },
    { service: 'pair', release: '1.2.3' },
    { service: '@shop/web', release: '1.2.3' },
    { service: 'project-42', release: '1.2.3' },
    { service: 'a b', release: null },
    { service: 'project-1', release: null },
    { service: 'tagged', body: /^Feedback/ },
  ])
  for (const { attributes } of stored) t.notOk('service.version' in attributes)
})

t.test("a log with an invalid service.name cannot take Sixpane's name from another attribute", async t => {
  const { post, stored } = await startSentry(t)
  const attributes = { 'service.name': { value: 'x'.repeat(501) }, service: { value: 'Sixpane' } }
  await post(envelopeOf([logItem({ body: 'deleted a webhook', attributes })]))
  t.match(stored, [{ service: 'unknown' }])
})

t.test('rejects a project that is not a number, and bodies that are not envelopes', async t => {
  const { post, stored } = await startSentry(t)
  const wrong = await post(envelopeOf([eventItem(event)]), { url: '/api/shop/envelope/' })
  t.match(wrong, { status: 400, body: /DSN must end with a number/ })
  for (const body of ['', 'no', '[]', '{}\nno', '{}\n{"type":"event","length":9}\n{}']) {
    t.match(await post(body), { status: 400, body: /not a valid envelope/ }, body)
  }
  t.same(stored, [])
})

t.test('accepts a single event at the older path', async t => {
  const { post, stored, keys } = await startSentry(t)
  const url = '/shop/api/1/store/'
  const response = await post(JSON.stringify(event), { url })
  t.same(JSON.parse(response.body), { id })
  await post(gzipSync(JSON.stringify(event)), { url, headers: { 'content-encoding': 'gzip' } })
  await post(JSON.stringify({ message: 'no id' }), { url })
  t.match(stored, [
    { service: 'shop', body: 'no total' },
    { service: 'shop', body: 'no total' },
    { service: 'shop', body: 'no id', severity: 'info', fingerprint: null },
  ])
  t.equal(keys[0], keys[1])
  t.equal(keys[2], undefined, 'identical events without ids may be separate occurrences')
  for (const body of ['', '[]', '{', 'null', `${JSON.stringify(event)}}`]) {
    t.match(await post(body, { url }), { status: 400, body: /not a JSON object/ }, body)
  }
  t.equal(stored.length, 3)
})

t.test('decompresses a body, and rejects corrupt compression and unknown encodings', async t => {
  const { post, stored } = await startSentry(t)
  const body = gzipSync(envelopeOf([eventItem(event)]))
  t.match(await post(body, { headers: { 'content-encoding': 'gzip' } }), { status: 200 })
  t.match(await post(body.subarray(0, 40), { headers: { 'content-encoding': 'gzip' } }), { status: 400 })
  t.match(await post(body, { headers: { 'content-encoding': 'lzw' } }), { status: 415 })
  t.equal(stored.length, 1)
})

t.test('rejects an oversized body or too many items', async t => {
  const { post, stored } = await startSentry(t, { ingestLimitBytes: 4_000_000 })
  const large = envelopeOf([[{ type: 'attachment' }, randomBytes(3_000_000).toString('hex')]])
  const log = { timestamp: seconds(Date.now()), body: '' }
  for (const body of [
    large,
    `{}${'\n{"type":"a"}\n'.repeat(200_000)}`,
    envelopeOf([[logItem()[0], `{"items":[1${',1'.repeat(100_000)}]}`]]),
    envelopeOf([[logItem()[0], `{"items":[{}${',{}'.repeat(199_999)}]}`]]),
  ]) {
    const response = await post(body)
    t.equal(response.status, 413)
    t.match(JSON.parse(response.body), { detail: /MB|more than/ })
  }
  t.same(stored, [])
  t.equal((await post(envelopeOf([logItem(log)]))).status, 200)
})

t.test('if the queue is full or the store fails, the response tells the SDK how long to wait', async t => {
  const full = await startSentry(t, { accept: () => Promise.reject(new QueueFullError(3)) })
  const out = await startSentry(t, { accept: () => Promise.reject(new Error('No budget on /secret')) })
  const body = envelopeOf([eventItem(event)])
  t.match(await full.post(body), {
    status: 429,
    headers: { 'retry-after': '3', 'x-sentry-rate-limits': '3::organization' },
  })
  const response = await out.post(body)
  t.match(response, {
    status: 503,
    headers: { 'retry-after': '5', 'x-sentry-rate-limits': '5::organization' },
  })
  t.notMatch(response.body, 'secret')
})

t.test('a response from a hook tells the SDK how long to wait', async t => {
  const { app, post } = await startSentry(t)
  app.addHook('onRequest', async () => {
    throw new HttpError(503, 'The token could not be checked', { 'retry-after': 5 })
  })
  const headers = { 'retry-after': '5', 'x-sentry-rate-limits': '5::organization' }
  t.match(await post(envelopeOf([])), { status: 503, headers })
})

t.test('a resent envelope has the same key, unless another envelope could have the same content', async t => {
  const { post, keys } = await startSentry(t)
  const sentAt = (secondsAgo: number) => ({ sent_at: new Date(Date.now() - secondsAgo * 1000).toISOString() })
  const counted = {
    aggregates: [{ started: new Date().toISOString(), exited: 1 }],
    attrs: { release: 'shop@1.2.3' },
  }
  const sessions = [[{ type: 'sessions' }, counted]] as const
  await post(envelopeOf([eventItem(event)], sentAt(9)))
  await post(envelopeOf([eventItem(event)], sentAt(3)))
  await post(envelopeOf([eventItem({ ...event, event_id: id.replace('f', 'e') })], sentAt(3)))
  await post(envelopeOf(sessions, sentAt(9)))
  await post(envelopeOf(sessions, sentAt(3)))
  await post(envelopeOf([eventItem(event), ...sessions], sentAt(3)))
  const [first, again, other, ...counts] = keys
  t.type(first, 'string')
  t.equal(first, again)
  t.equal(new Set([first, other, ...counts]).size, 5)
})

t.test('an envelope from a tunnel gets the service in its DSN, unless the URL contains one', async t => {
  const { post, stored } = await startSentry(t)
  const event = { message: 'x', release: 'web@1' }
  const dsns = ['https://key@sixpane.example/shop/1', 'https://key@sixpane.example/a%20b/1']
  for (const dsn of [...dsns, 'https://key@sixpane.example/1', 'https://key@h/%ff/1', 'shop/1', 5])
    await post(`${JSON.stringify({ dsn })}\n${JSON.stringify({ type: 'event' })}\n${JSON.stringify(event)}`)
  const url = '/billing/api/1/envelope/'
  await post(`${JSON.stringify({ dsn: dsns[0] })}\n{"type":"event"}\n${JSON.stringify(event)}`, { url })
  t.same(
    stored.map(({ service }) => service),
    ['shop', 'a b', 'web', 'web', 'web', 'web', 'billing'],
  )
})

t.test('stores an event once for each service to which it is sent', async t => {
  const { post, keys } = await startSentry(t)
  for (const service of ['shop', 'billing'])
    await post(envelopeOf([eventItem(event)]), { url: `/${service}/api/1/envelope/` })
  t.equal(new Set(keys).size, 2)
})

t.test('corrects the times of a sender whose clock is wrong by an hour or more', async t => {
  const { post, stored } = await startSentry(t)
  const sentMs = Date.now()
  for (const offsetMs of [-30 * 86_400_000, -hourMs, -5 * 60_000, 0, hourMs]) {
    const body = envelopeOf([eventItem({ ...event, timestamp: seconds(sentMs + offsetMs - 2000) })], {
      sent_at: new Date(sentMs + offsetMs).toISOString(),
    })
    await post(body)
  }
  await post(envelopeOf([eventItem(event)], { sent_at: 'yesterday' }))
  const agesMs = stored.map(({ timeMs }) => sentMs - timeMs)
  for (const [index, ageMs] of agesMs.entries()) {
    const expectedMs = index === 2 ? 5 * 60_000 : 0
    t.ok(Math.abs(ageMs - expectedMs) < 60_000, `${index}: ${ageMs} ms`)
  }
  t.equal(stored.length, 6)
})

t.test('rejects events older than the retention period', async t => {
  const { post, stored, rejected } = await startSentry(t)
  const old = { ...event, timestamp: seconds(Date.now() - 31 * 24 * hourMs) }
  const alone = await post(envelopeOf([eventItem(old)]))
  t.match(alone, { status: 400, body: /Item 1: The event is older than the retention period/ })
  const response = await post(envelopeOf([eventItem(old), eventItem(event)]))
  t.same(JSON.parse(response.body), { id, rejected: 1 })
  t.equal(stored.length, 1)
  t.ok(rejected() >= 1)
})

t.test('counts items that are not stored, by kind', async t => {
  const { post, stored, ignored } = await startSentry(t)
  const text = 'not JSON'
  const response = await post(
    envelopeOf([
      ...['replay_event', 'replay_recording', 'profile', 'attachment', 'check_in', 'statsd'].map(
        type => [{ type }, text] as const,
      ),
      ...['brand_new', '__proto__', 'constructor', 'log'].map(type => [{ type }, text] as const),
      [{ type: 'transaction' }, { type: 'transaction', contexts: { trace: { op: 'queue.process' } } }],
      spanItem({ name: 'SELECT' }, { name: 'GET', attributes: { 'sentry.op': { value: 'http.client' } } }),
      [
        { type: 'client_report' },
        {
          discarded_events: [
            { reason: 'sample_rate', category: 'transaction', quantity: 7 },
            { reason: 'queue_overflow', category: 'error', quantity: 2 },
            { reason: 'wrong', quantity: 'many' },
            { reason: 'wrong', quantity: -3 },
            null,
          ],
        },
      ],
    ]),
  )
  t.match(response, { status: 200, body: '{}' })
  t.same(stored, [])
  t.same(ignored, {
    replay: 2,
    profile: 1,
    attachment: 1,
    'check-in': 1,
    metric: 1,
    other: 4,
    span: 3,
    'discarded by an SDK': 9,
  })
})

t.test('counts the elements of a list that is not stored', async t => {
  const { post, ignored } = await startSentry(t)
  const content_type = 'application/vnd.sentry.items.trace-metric+json'
  const counts = [5, 1, undefined, null, 'many', -3, 1.6, 1e9]
  const items = counts.map(
    item_count =>
      [
        JSON.parse(JSON.stringify({ type: 'trace_metric', item_count, content_type })),
        { items: [] },
      ] as const,
  )
  t.equal((await post(envelopeOf(items))).status, 200)
  t.same(ignored, { metric: 5 + 1 + 1 + 1 + 1 + 0 + 2 + 1e6 })
})

t.test('invalid items do not affect the others', async t => {
  const { post, stored, rejected } = await startSentry(t)
  const deep = `{"message":${'['.repeat(50_000)}${']'.repeat(50_000)}}`
  const log = { timestamp: seconds(Date.now()), level: 'warn', body: 'low stock' }
  const response = await post(
    envelopeOf([
      [{ type: 'event' }, deep],
      [{ type: 'event' }, '{"message":'],
      [{ type: 'event' }, '[]'],
      [{ type: 'event' }, '{} {}'],
      eventItem({ message: 'x'.repeat(1_100_000) }),
      eventItem({ logentry: Array.from({ length: 30_000 }, () => 1) }),
      logItem(log, null, 7, [], 'x', { body: 'x'.repeat(1_100_000) }, log),
      [{ ...logItem()[0] }, '{"items":[{"body":"before the end"}'],
      [{ ...logItem()[0] }, '{"items":{}}'],
      eventItem(event),
    ]),
  )
  t.equal(response.status, 200)
  t.same(JSON.parse(response.body), { id, rejected: 13 })
  t.same(
    stored.map(({ body }) => body),
    ['low stock', 'low stock', 'before the end', 'no total'],
  )
  t.equal(rejected(), 13)
})

t.test('if nothing in an envelope is stored, the response explains why', async t => {
  const { post, rejected } = await startSentry(t)
  const broken = await post(envelopeOf([[{ type: 'event' }, '{']]))
  t.match(broken, { status: 400, body: /Item 1: event: The payload is not a JSON object/ })
  const large = await post(envelopeOf([eventItem({ message: 'x'.repeat(1_100_000) })]))
  t.match(large, { status: 400, body: /Item 1: event: message is longer than/ })
  t.equal(rejected(), 2)
})

t.test('stores an exception that was thrown after deep recursion', async t => {
  const { post, stored } = await startSentry(t)
  const lines = ['', '', 'def walk(node):', '    if node is None:', '        return 0']
  const frame = {
    ...{ filename: 'shop/tree.py', abs_path: '/app/shop/tree.py', function: 'walk', module: 'shop.tree' },
    ...{ lineno: 7, pre_context: lines, context_line: '    return walk(node.next)', post_context: lines },
    ...{ vars: { node: `<Node ${'x'.repeat(1000)}>`, depth: '3' }, in_app: true },
  }
  const frames = Array.from({ length: 2000 }, () => frame)
  const type = 'RecursionError'
  const value = 'maximum recursion depth exceeded'
  const values = [{ type, value, stacktrace: { frames } }]
  t.equal((await post(envelopeOf([eventItem({ platform: 'python', exception: { values } })]))).status, 200)
  t.match(stored, [
    { exception: { type, message: value, stack: /, in walk\n {4}return walk\(node\.next\)/ } },
  ])
  const tooLarge = { values: [{ type, value: 'x'.repeat(4_200_000) }] }
  t.match(await post(envelopeOf([eventItem({ exception: tooLarge })])), {
    status: 400,
    body: /exception is longer than 4194304 bytes/,
  })
})

t.test('stores a note instead of details that are too large or too deeply nested', async t => {
  const { post, stored, rejected } = await startSentry(t)
  const extra = { rows: Array.from({ length: 30_000 }, () => 1) }
  const contexts = { cart: { note: 'x'.repeat(1_100_000) } }
  const deep = `{"breadcrumbs":${'['.repeat(2000)}${']'.repeat(2000)},${JSON.stringify(event).slice(1)}`
  await post(envelopeOf([eventItem({ ...event, tags: { plan: 'pro' }, extra, contexts })]))
  await post(envelopeOf([[{ type: 'event' }, deep]]))
  const exception = { type: 'TypeError', message: 'no total' }
  t.match(stored, [{ exception }, { exception }])
  t.match(stored[0]?.attributes, {
    tags: { plan: 'pro' },
    extra: { '…': '[extra is not JSON, nested deeper than 1000 levels, or made of more than 20000 values]' },
    contexts: { '…': '[contexts is longer than 1048576 bytes]' },
  })
  t.equal(rejected(), 0)
})

t.test('skips large fields that are not stored', async t => {
  const { post, stored } = await startSentry(t)
  const modules = { name: 'x'.repeat(2_000_000), deep: null }
  t.equal((await post(envelopeOf([eventItem({ modules, ...event })]))).status, 200)
  t.equal(stored.length, 1)
})

/** Values of the wrong type for any field of an event, some with names of properties that every object has. */
const wrongValues: unknown[] = [
  null,
  true,
  -1,
  1e300,
  '',
  'text',
  'constructor',
  '__proto__',
  [],
  [null],
  [[]],
  [['a']],
  ['x', 1],
  {},
  { values: null },
  { values: [null, 1, 'x', [], {}] },
  { values: [{ type: 1, value: {}, stacktrace: { frames: [null, {}, { lineno: 'x', filename: 7 }] } }] },
  { message: '%s %d %O', params: [{ toString: 1 }, { valueOf: null, toString: null }, [[]]] },
  { toString: 1, constructor: 1, hasOwnProperty: 1, length: -1 },
]

t.test('stores events whose fields have wrong types', async t => {
  const { post, stored, rejected } = await startSentry(t)
  const names = [
    ...['breadcrumbs', 'contexts', 'debug_meta', 'dist', 'environment', 'exception', 'extra', 'fingerprint'],
    ...['level', 'logentry', 'logger', 'message', 'platform', 'release', 'request', 'sdk', 'server_name'],
    ...['tags', 'timestamp', 'transaction', 'user'],
  ]
  let sent = 0
  for (const value of wrongValues) {
    const nested = { trace: value, feedback: value, response: value, headers: value, timestamp: value }
    const items = [
      ...names.map(name => eventItem({ ...event, event_id: 'e', [name]: value })),
      ...['breadcrumbs', 'contexts', 'request', 'user', 'sdk'].map(name =>
        eventItem({ ...event, event_id: 'e', [name]: name === 'breadcrumbs' ? [nested, value] : nested }),
      ),
      eventItem({ ...event, exception: { values: [{ type: 'A', stacktrace: value }] }, event_id: 'e' }),
      eventItem({ ...event, exception: [{ type: 'A', value, module: value, mechanism: value }] }),
    ]
    sent += items.length
    t.equal((await post(envelopeOf(items))).status, 200, JSON.stringify(value))
  }
  t.equal(rejected(), 0)
  t.equal(stored.length, sent)
})

t.test('values of the wrong type in items other than events do not cause server errors', async t => {
  const { post } = await startSentry(t)
  const types = ['transaction', 'span', 'session', 'sessions', 'feedback', 'user_report', 'client_report']
  const names = [
    ...['aggregates', 'attrs', 'attributes', 'contexts', 'data', 'discarded_events', 'init', 'measurements'],
    ...[
      'request',
      'started',
      'start_timestamp',
      'status',
      'tags',
      'timestamp',
      'transaction',
      'user',
      'body',
    ],
    ...['end_timestamp', 'name', 'level', 'trace_id', 'comments'],
  ]
  for (const value of wrongValues) {
    const payloads = [
      ...names.map(name => ({ [name]: value })),
      Object.fromEntries(names.map(name => [name, value])),
      { status: 'crashed', started: value, timestamp: value, attrs: { release: value, environment: value } },
      { aggregates: [{ started: value, exited: 1, crashed: value }] },
      { contexts: { trace: { op: 'http.server', data: value } }, start_timestamp: value, timestamp: value },
      { measurements: { lcp: { value }, cls: value, inp: { value: 3 } }, timestamp: value },
      { attributes: { 'sentry.op': { value: 'http.server' }, 'url.full': { value }, __proto__: value } },
    ]
    const items = [
      ...types.flatMap(type => payloads.map(payload => [{ type }, payload] as const)),
      logItem(...payloads),
      spanItem(...payloads),
    ]
    t.equal((await post(envelopeOf(items))).status, 200, JSON.stringify(value))
  }
})

t.test('fields named __proto__ are stored as fields', async t => {
  const { post, stored } = await startSentry(t)
  const polluted = '{"__proto__":{"polluted":1},"constructor":{"polluted":1}}'
  const tags = `{"event_id":"${id}","message":"m","__proto__":{"level":"fatal"},"tags":${polluted},"extra":${polluted},"contexts":${polluted}}`
  t.equal((await post(envelopeOf([[{ type: 'event' }, tags]]))).status, 200)
  const log = `{"items":[{"body":"log","attributes":{"__proto__":{"value":{"polluted":1}}}}]}`
  t.equal((await post(envelopeOf([[logItem(1)[0], log]]))).status, 200)
  t.match(stored, [{ body: 'm', severity: 'info' }, { body: 'log' }])
  t.equal(Reflect.get({}, 'polluted'), undefined)
  for (const { attributes } of stored) t.equal(Object.getPrototypeOf(attributes), Object.prototype)
})

t.test('pages of connected applications may send events and read the response', async t => {
  const { app, post, stored } = await startSentry(t)
  const body = envelopeOf([eventItem(event)])
  const cors = {
    'access-control-allow-origin': shopOrigin,
    'access-control-expose-headers': 'retry-after, x-sentry-rate-limits',
    vary: 'Origin',
  }
  const headers = { origin: shopOrigin, 'sec-fetch-site': 'cross-site' }
  t.match(await post(body, { headers }), { status: 200, headers: cors })
  t.match(await post('no', { headers }), { status: 400, headers: cors })
  t.equal(stored.length, 1)

  const preflight = await app.inject({
    method: 'OPTIONS',
    url: '/shop/api/1/envelope/',
    headers: { host: 'localhost', 'access-control-request-method': 'POST', ...headers },
  })
  t.match(preflight, {
    statusCode: 204,
    headers: {
      'access-control-allow-origin': shopOrigin,
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': /content-encoding.*x-sentry-auth/,
    },
  })
})

t.test('rejects requests from pages of other applications', async t => {
  const { post, stored } = await startSentry(t)
  const body = envelopeOf([eventItem(event)])
  for (const origin of ['https://other.example', 'null', `${shopOrigin}.evil.example`]) {
    const response = await post(body, { headers: { origin, 'sec-fetch-site': 'cross-site' } })
    t.match(response, { status: 403, headers: { 'access-control-allow-origin': undefined } }, origin)
    t.match(response.body, 'SIXPANE_BROWSER_ORIGINS')
  }
  t.same(stored, [])
})

t.test('limits the requests from the pages of one visitor, but not those from services', async t => {
  const { post } = await startSentry(t)
  const send = (headers: Record<string, string>) => post(envelopeOf([]), { headers })
  for (let count = 0; count < 300; count += 1) await send({ origin: shopOrigin })
  t.match(await send({ origin: shopOrigin }), {
    status: 429,
    headers: { 'retry-after': /^\d+$/, 'x-sentry-rate-limits': /^\d+::organization$/ },
  })
  t.match(await send({}), { status: 200 })
})

t.test('treats a redacted React error like one from sixpane/browser', async t => {
  const { post, stored } = await startSentry(t)
  const message = 'Minified React error #441; visit https://react.dev/errors/441'
  const redacted = { ...event, exception: { values: [{ type: 'Error', value: message }] } }
  await post(envelopeOf([eventItem({ ...redacted, tags: { digest: '2338471' } }), eventItem(redacted)]))
  t.match(stored, [
    { source: 'browser', digest: '2338471', exception: { stack: null } },
    { source: 'sentry', digest: id, exception: { stack: null } },
  ])
})

t.test('finds the digest in the message with which a module of Sixpane replaced an error', async t => {
  const { post, stored } = await startSentry(t)
  const value = 'Internal Server Error. Digest: 0123456789ab'
  await post(envelopeOf([eventItem({ ...event, exception: { values: [{ type: 'Error', value }] } })]))
  t.match(stored, [{ source: 'browser', digest: '0123456789ab', exception: { stack: null } }])
})
