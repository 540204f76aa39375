import t from 'tap'
import type { NewEvent } from '../../../shared/event.ts'
import { createClean } from '../../events/clean.ts'
import { createNormalise } from '../../events/normalise.ts'
import { withoutPauses } from '../../testing/pauses.ts'
import { logs, type Signal, traces } from './signals.ts'
import { attributesOf, logsOf, spansOf } from './testing.ts'

const nowMs = Date.UTC(2026, 10, 21, 12)
const thenMs = nowMs - 60_000
const nano = (ms: number) => `${ms}000000`
const normalise = createNormalise(createClean([]), { fingerprint: () => 'aaaaaaaaaa' })
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'

function eventsOf<Item>({ read, createEvents }: Signal<Item>, request: object): NewEvent[] {
  const make = createEvents(normalise, nowMs, nowMs - 86_400_000)
  return withoutPauses(read['application/json'](Buffer.from(JSON.stringify(request)))).flatMap(each => {
    if ('reason' in each) throw new Error(each.reason)
    return [...make(each)]
  })
}
const eventOf = (log: object) => eventsOf(logs, logsOf(log))[0]
const texts = (fields: Readonly<Record<string, string | number>>) =>
  attributesOf(
    Object.fromEntries(
      Object.entries(fields).map(([key, value]) => [
        key,
        typeof value === 'string' ? { stringValue: value } : { intValue: value },
      ]),
    ),
  )

t.test('reads the severity from the number, the text or the attributes, in that order', async t => {
  const cases: [object, string, object][] = [
    ...['trace', 'debug', 'info', 'warn', 'error', 'fatal'].map(
      (severity, index): [object, string, object] => [
        { severityNumber: index * 4 + 1, severityText: severity.toUpperCase() },
        severity,
        {},
      ],
    ),
    [{ severityNumber: 24 }, 'fatal', { severityNumber: 24 }],
    [{ severityNumber: 9, severityText: 'Notice' }, 'info', { severityText: 'Notice' }],
    [{ severityNumber: 9, attributes: texts({ level: 'error' }) }, 'info', { 'attributes.level': 'error' }],
    [{ severityNumber: 99 }, 'info', { severityNumber: 99 }],
    [{ severityText: 'WARNING' }, 'warn', {}],
    [{ severityText: 'loud' }, 'info', { level: 'loud' }],
    [{ attributes: texts({ level: 50 }) }, 'error', {}],
    [{}, 'info', {}],
  ]
  for (const [log, severity, attributes] of cases) {
    const event = eventOf(log)
    t.equal(event?.severity, severity, JSON.stringify(log))
    t.same(event?.attributes, attributes, JSON.stringify(log))
  }
})

t.test(
  'uses the time in the record or its attributes, the observed time or the arrival time, in that order',
  async t => {
    const seenMs = nowMs - 10_000
    const attributes = texts({ time: nano(thenMs) })
    const times: [object, number, object][] = [
      [{ timeUnixNano: nano(thenMs), observedTimeUnixNano: nano(seenMs) }, thenMs, {}],
      [{ timeUnixNano: `${thenMs}123456` }, thenMs + 0.123, {}],
      [{ timeUnixNano: '0', observedTimeUnixNano: nano(seenMs) }, seenMs, {}],
      [{ attributes, observedTimeUnixNano: nano(seenMs) }, thenMs, {}],
      [
        { attributes: texts({ startTime: '2026-01-27' }), observedTimeUnixNano: nano(seenMs) },
        seenMs,
        { startTime: '2026-01-27' },
      ],
      [{ attributes, timeUnixNano: nano(seenMs) }, seenMs, { 'attributes.time': nano(thenMs) }],
      [{}, nowMs, {}],
      [{ timeUnixNano: '5', observedTimeUnixNano: nano(seenMs) }, seenMs, { time: 5 }],
      [{ timeUnixNano: nano(nowMs + 1e9) }, nowMs, { time: Number(nano(nowMs + 1e9)) }],
      [
        { timeUnixNano: '0', observedTimeUnixNano: nano(nowMs + 2000) },
        nowMs + 1000,
        { observedTimeUnixNano: Number(nano(nowMs + 2000)) },
      ],
      [{ timeUnixNano: '18446744073709551615' }, nowMs, { time: 2 ** 64 }],
      [{ timeUnixNano: 'NaN', observedTimeUnixNano: '-7' }, nowMs, { time: 'NaN', observedTimeUnixNano: -7 }],
    ]
    for (const [log, timeMs, attributes] of times) {
      const event = eventOf(log)
      t.equal(event?.timeMs, timeMs, JSON.stringify(log))
      t.same(event?.attributes, attributes, JSON.stringify(log))
    }
  },
)

t.test('invalid ids become attributes, and empty ids are dropped', async t => {
  t.match(eventOf({ traceId: traceId.toUpperCase(), spanId: '00F067AA0BA902B7' }), {
    traceId,
    spanId: '00f067aa0ba902b7',
  })
  for (const none of ['', '0'.repeat(32)]) {
    t.match(eventOf({ traceId: none }), { traceId: null, attributes: {} })
    t.same(eventOf({ traceId: none })?.attributes, {})
  }
  t.match(eventOf({ traceId: 'abc' }), { traceId: null, attributes: { traceId: 'abc' } })
  t.match(eventOf({ attributes: texts({ trace_id: traceId }) }), { traceId })
})

t.test('attributes with the same name in the resource, record and scope are all stored', async t => {
  const sameAttributes = (value: string) =>
    texts({ 'host.name': value, 'service.name': value, __proto__x: value })
  const [event] = eventsOf(logs, {
    resourceLogs: [
      {
        resource: { attributes: sameAttributes('a') },
        scopeLogs: [
          {
            scope: { name: 'lib', attributes: sameAttributes('c') },
            logRecords: [
              { attributes: sameAttributes('b'), droppedAttributesCount: 3, body: { boolValue: false } },
            ],
          },
        ],
      },
    ],
  })
  t.match(event, {
    service: 'a',
    body: 'false',
    attributes: {
      'host.name': 'a',
      'attributes.host.name': 'b',
      'attributes.service.name': 'b',
      'otel.scope.host.name': 'c',
      'otel.scope.name': 'lib',
      'otel.dropped_attributes_count': 3,
    },
  })
})

t.test('a text body without a severity is read like a line in a log file', async t => {
  const read = (line: string, log: object = {}) => eventOf({ body: { stringValue: line }, ...log })
  const record = { level: 50, msg: 'no cart', reqId: 'r1' }
  const fields = { severity: 'error', body: 'no cart', requestId: 'r1' }
  t.match(read(JSON.stringify(record)), fields)
  t.match(read(JSON.stringify({ log: `${JSON.stringify(record)}\n`, stream: 'stdout' })), fields)
  t.match(read('level=error msg="no cart" reqId=r1'), fields)
  t.match(read('{"items":3}'), { body: '{"items":3}', attributes: { items: 3 } })
  t.match(read('\u001b[31mERROR\u001b[0m failed'), {
    severity: 'error',
    body: 'ERROR failed',
    attributes: {},
  })
  t.match(read(`${new Date(thenMs).toISOString()} stderr F ERROR failed`), {
    ...{ severity: 'error', body: 'ERROR failed', timeMs: thenMs },
  })
  t.match(read('ERROR failed', { attributes: texts({ severity: 'warn' }) }), { severity: 'warn' })
  t.match(read('', { attributes: texts({ msg: 'paid' }) }), { body: 'paid' }, 'no text')
  for (const log of [{ severityNumber: 9 }, { severityText: 'INFO' }])
    t.match(read('{"level":50}', log), { severity: 'info', body: '{"level":50}' })
})

t.test('a time at the start of the text replaces the time at which the collector read the line', async t => {
  const then = new Date(thenMs).toISOString()
  const timeOf = (line: string, log: object = {}) =>
    eventOf({ body: { stringValue: line }, observedTimeUnixNano: nano(nowMs - 1000), ...log })?.timeMs
  t.equal(timeOf(`${then} ERROR failed`), thenMs)
  t.equal(timeOf(JSON.stringify({ log: `${then} ERROR failed` })), thenMs, 'wrapped')
  for (const name of ['date', '@t', '__REALTIME_TIMESTAMP'])
    t.equal(timeOf(JSON.stringify({ msg: 'failed', [name]: thenMs * 1000 })), thenMs, name)
  t.equal(timeOf('2026-11-01T07:10:11Z ERROR failed'), nowMs - 1000, 'older than the retention period')
  t.equal(timeOf('2026-11-21 07:10:11 ERROR failed'), nowMs - 1000, 'without a zone')
  const ownMs = nowMs - 5000
  const own = new Date(ownMs).toISOString()
  t.equal(timeOf(`${then} ERROR failed`, { timeUnixNano: nano(ownMs) }), ownMs)
  t.equal(timeOf(`${then} ERROR failed`, { attributes: texts({ time: own }) }), ownMs)
  t.equal(timeOf(`${own} stderr F ${then} ERROR failed`), ownMs)
})

t.test('reads the level and the time at the start of a text body that ends in JSON', async t => {
  const then = new Date(thenMs).toISOString()
  const read = (fields: object, log: object = {}) =>
    eventOf({ body: { stringValue: `${then}\tERROR\tfailed\t${JSON.stringify(fields)}` }, ...log })
  t.match(read({ pod: 'a' }), {
    ...{ severity: 'error', timeMs: thenMs, body: `${then}\tERROR\tfailed` },
    attributes: { pod: 'a' },
  })
  t.match(read({ severity: 'warn', time: nano(nowMs - 5000) }), { severity: 'warn', timeMs: nowMs - 5000 })
  t.match(read({ pod: 'a' }, { severityText: 'WARN' }), { severity: 'warn' })
  t.match(read({ pod: 'a' }, { timeUnixNano: nano(nowMs - 5000) }), { timeMs: nowMs - 5000 })
})

t.test('without a service name, the Kubernetes workload or the container becomes the service', async t => {
  const serviceOf = (fields: Parameters<typeof texts>[0], body = 'hello') =>
    eventOf({ body: { stringValue: body }, attributes: texts(fields) })?.service
  const container = {
    'k8s.pod.name': 'cart-7d9f-x2x4z',
    'k8s.container.name': 'web',
    'container.name': 'k8s_web',
  }
  t.equal(serviceOf({ ...container, 'k8s.job.name': 'import', 'k8s.deployment.name': 'cart' }), 'cart')
  t.equal(serviceOf({ ...container, 'k8s.deployment.name': '' }), 'web')
  t.equal(serviceOf({ 'container.name': 'cart-1' }), 'cart-1')
  t.equal(serviceOf({ ...container, 'service.name': 'shop' }), 'shop')
  t.equal(serviceOf(container, '{"msg":"hello","service":"shop"}'), 'shop')
  t.equal(serviceOf({ 'k8s.pod.name': 'cart-7d9f-x2x4z' }), 'unknown')
})

t.test('a structured body is read like a JSON line', async t => {
  const line = texts({
    level: 50,
    msg: 'checkout failed',
    name: 'shop',
    time: nano(thenMs),
    route: '/checkout',
  })
  t.match(eventOf({ body: { kvlistValue: { values: line } } }), {
    severity: 'error',
    body: 'checkout failed',
    service: 'shop',
    timeMs: thenMs,
    route: '/checkout',
    attributes: {},
  })
  t.match(eventOf({ eventName: 'cart.emptied', body: { kvlistValue: { values: texts({ items: 3 }) } } }), {
    body: 'cart.emptied',
    attributes: { items: 3 },
  })
  const long = { kvlistValue: { values: texts({ text: 'x'.repeat(10_000) }) } }
  t.match(eventOf({ body: long })?.body, /^\{"text":"x{1900,2000}…$/)
  t.match(eventOf({ body: { arrayValue: { values: [{ intValue: 1 }, {}] } } }), {
    body: '[1,null]',
    attributes: { body: [1, null] },
  })
  t.equal(eventOf({ body: { kvlistValue: {} } })?.body, '')
})

t.test('reads a line that a log collector wrapped in a structured body', async t => {
  const read = (fields: Parameters<typeof texts>[0], log: object = {}) =>
    eventOf({ body: { kvlistValue: { values: texts(fields) } }, ...log })
  const line = JSON.stringify({ level: 50, name: 'shop', msg: 'no cart' })
  t.match(read({ log: `${line}\n`, stream: 'stderr' }), {
    ...{ severity: 'error', service: 'shop', body: 'no cart' },
    attributes: { stream: 'stderr', log: undefined },
  })
  t.match(read({ MESSAGE: 'ERROR failed', PRIORITY: '6' }), { severity: 'error', body: 'ERROR failed' })
  t.match(read({ log: line }, { severityText: 'WARN' }), {
    ...{ severity: 'warn', body: 'no cart' },
    attributes: { 'body.level': 50 },
  })
  const levelAttribute = { key: 'level', value: { stringValue: 'info' } }
  for (const level of [{ severityNumber: 9 }, { severityText: 'INFO' }, { attributes: [levelAttribute] }]) {
    t.match(
      read({ log: 'ERROR boom', stream: 'stderr' }, level),
      { severity: 'info', body: 'ERROR boom', attributes: { 'body.level': undefined } },
      'the level of the record takes precedence over a level guessed from text',
    )
  }
})

t.test('a wrapped line gets the service of its container only if nothing else names a service', async t => {
  const body = { kvlistValue: { values: texts({ log: 'failed', container_name: 'web' }) } }
  const line = { stringValue: '{"log":"failed","container_name":"web"}' }
  const service = texts({ 'service.name': 'shop' })
  for (const record of [{ body }, { body: line }]) {
    const request = {
      resourceLogs: [{ resource: { attributes: service }, scopeLogs: [{ logRecords: [record] }] }],
    }
    for (const event of [eventsOf(logs, request)[0], eventOf({ ...record, attributes: service })]) {
      t.equal(event?.service, 'shop')
      t.same(event?.attributes, { container_name: 'web' })
    }
    const event = eventOf(record)
    t.equal(event?.service, 'web')
    t.same(event?.attributes, { container_name: 'web' })
  }
})

t.test('a server span becomes a request, with old and new semantic conventions', async t => {
  const span = {
    kind: 2,
    name: 'GET',
    traceId,
    startTimeUnixNano: nano(thenMs),
    endTimeUnixNano: nano(thenMs + 20),
  }
  const request = (attributes: Parameters<typeof texts>[0], more: object = {}) =>
    eventsOf(traces, spansOf({ ...span, attributes: texts(attributes), ...more }))[0]
  const expected = {
    method: 'GET',
    status: 200,
    durationMs: 20,
    timeMs: thenMs + 20,
    severity: 'info',
    traceId,
  }
  t.match(
    request({ 'http.request.method': 'GET', 'http.route': '/cart/:id', 'http.response.status_code': 200 }),
    { ...expected, route: '/cart/:id', body: 'GET /cart/:id 200' },
  )
  t.match(
    request({ 'http.method': 'GET', 'http.target': '/cart/7?a=b', 'http.status_code': 200, duration: 3 }),
    {
      ...expected,
      route: null,
      body: 'GET /cart/7 200',
      attributes: { 'http.target': '/cart/7?a=b', duration: 3 },
    },
  )
  t.match(request({ 'http.request.method': 'GET', 'http.response.status_code': 503 }), { severity: 'error' })
  t.match(request({ 'http.request.method': 'GET' }, { status: { code: 2, message: 'reset' } }), {
    severity: 'error',
    status: null,
    attributes: { 'otel.status_code': 'ERROR', 'otel.status_description': 'reset' },
  })
  t.match(request({ 'rpc.system': 'grpc' }, { name: 'cart.Cart/Get' }), {
    body: 'cart.Cart/Get',
    status: null,
  })
  t.match(request({}, { endTimeUnixNano: '0' }), { timeMs: thenMs, durationMs: null })
  t.match(request({}, { startTimeUnixNano: nano(thenMs + 30) }), { durationMs: null })
  t.match(request({}, { startTimeUnixNano: nano(thenMs + 20) }), { durationMs: 0 })
})

t.test('an exception in any span becomes an event, once per trace', async t => {
  const exception = (message: string, more: object = {}) => ({
    name: 'exception',
    timeUnixNano: nano(thenMs),
    attributes: texts({ 'exception.type': 'TypeError', 'exception.message': message, ...more }),
  })
  for (const kind of [0, 1, 3, 4, 5]) t.same(eventsOf(traces, spansOf({ kind, name: 'GET', traceId })), [])
  const events = eventsOf(
    traces,
    spansOf(
      {
        kind: 1,
        traceId,
        spanId: 'aaaaaaaaaaaaaaaa',
        parentSpanId: 'cccccccccccccccc',
        events: [exception('no cart'), { name: 'retry' }],
      },
      { kind: 1, traceId, spanId: 'bbbbbbbbbbbbbbbb', events: [exception('no stock')] },
      {
        kind: 2,
        traceId,
        spanId: 'cccccccccccccccc',
        attributes: texts({
          'http.request.method': 'POST',
          'http.route': '/cart',
          'http.response.status_code': 500,
        }),
        events: [exception('no cart'), exception('too late', { 'exception.escaped': 'true' })],
      },
      { kind: 1, traceId: traceId.replace('4', '5'), events: [exception('no cart')] },
      {
        kind: 3,
        endTimeUnixNano: nano(thenMs),
        events: [{ name: 'exception', attributes: texts({ 'exception.type': 'Timeout' }) }],
      },
    ),
  )
  t.match(events, [
    {
      body: 'no cart',
      severity: 'error',
      spanId: 'aaaaaaaaaaaaaaaa',
      attributes: { parentSpanId: 'cccccccccccccccc' },
      method: 'POST',
      route: '/cart',
      timeMs: thenMs,
    },
    { body: 'no stock', spanId: 'bbbbbbbbbbbbbbbb', route: null, exception: { type: 'TypeError' } },
    { body: 'POST /cart 500', status: 500, exception: null, fingerprint: null },
    { body: 'too late', spanId: 'cccccccccccccccc', route: '/cart', status: null },
    { body: 'no cart', traceId: traceId.replace('4', '5'), fingerprint: 'aaaaaaaaaa' },
    { body: 'Timeout' },
  ])
  t.match(events.at(-1), {
    timeMs: thenMs,
    severity: 'error',
    exception: { type: 'Timeout', message: 'Timeout' },
  })
  t.equal(events.length, 6)
})
