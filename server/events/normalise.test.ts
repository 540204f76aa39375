import fc from 'fast-check'
import t from 'tap'
import { severities } from '../../shared/severity.ts'
import { createClean } from './clean.ts'
import { createNormalise } from './normalise.ts'

const nowMs = Date.UTC(2026, 10, 21, 12)
const failures = { fingerprint: () => 'aaaaaaaaaa' }
const normalise = createNormalise(createClean([]), failures)
const read = (record: object) => normalise(record, 'ndjson', nowMs)

t.test('converts a pino line to an event without losing or duplicating fields', async t => {
  const line = {
    level: 50,
    time: nowMs - 1000.5,
    pid: 7,
    hostname: 'shop-1',
    name: 'shop',
    version: '1.4.0',
    req: { id: 'req-1', method: 'post', url: '/cart/1', headers: { host: 'shop', cookie: 'x' } },
    res: { statusCode: 500 },
    route: '/cart/:id',
    responseTime: 12.25,
    traceId: '0AF7651916CD43DD8448EB211C80319C',
    spanId: 'b7ad6b7169203331',
    err: {
      type: 'TypeError',
      message: 'no cart',
      stack: 'TypeError: no cart\n    at a.js:1',
      code: 'E1',
      digest: '42',
    },
    msg: 'request failed',
    cart: { items: [1, 2] },
  }
  t.same(read(line), {
    timeMs: nowMs - 1000.5,
    severity: 'error',
    service: 'shop',
    release: '1.4.0',
    source: 'ndjson',
    body: 'request failed',
    requestId: 'req-1',
    traceId: '0af7651916cd43dd8448eb211c80319c',
    spanId: 'b7ad6b7169203331',
    method: 'POST',
    route: '/cart/:id',
    status: 500,
    durationMs: 12.25,
    exception: { type: 'TypeError', message: 'no cart', stack: 'TypeError: no cart\n    at a.js:1' },
    digest: '42',
    fingerprint: 'aaaaaaaaaa',
    attributes: {
      pid: 7,
      hostname: 'shop-1',
      req: { url: '/cart/1', headers: { host: 'shop', cookie: '[redacted]' } },
      err: { code: 'E1' },
      cart: { items: [1, 2] },
    },
  })
})

t.test("reads OpenTelemetry's field names, flat or nested", async t => {
  const event = {
    severity: 'error',
    service: 'shop',
    release: '2.0.0',
    body: 'hello',
    method: 'GET',
    route: '/a/:b',
    status: 503,
    exception: { type: 'TypeError', message: 'broken', stack: null },
    attributes: { 'user.id': 9 },
  }
  const attributes = {
    'http.request.method': 'GET',
    'http.route': '/a/:b',
    'http.response.status_code': 503,
    'exception.type': 'TypeError',
    'exception.message': 'broken',
    'user.id': 9,
  }
  const log = { severityNumber: 17, body: 'hello' }
  const service = { 'service.name': 'shop', 'service.version': '2.0.0' }
  t.match(read({ ...log, ...service, ...attributes }), event)
  t.match(read({ ...log, attributes, resource: service }), event)
  t.match(read({ ...log, attributes, resource: { attributes: service } }), event)
  t.match(read({ ...log, attributes, resource: { service: { name: 'shop', version: '2.0.0' } } }), event)
})

t.test('attributes do not replace the fields of the record, but are stored', async t => {
  const attributes = { name: 'Ada', msg: 'other', level: 30, user: 1 }
  t.match(read({ name: 'shop', msg: 'hi', level: 30, attributes }), { service: 'shop', body: 'hi' })
  t.same(read({ name: 'shop', msg: 'hi', level: 30, attributes }).attributes, {
    ...{ 'attributes.name': 'Ada', 'attributes.msg': 'other' },
    user: 1,
  })
})

t.test('event fields are read even if the record has too many fields', async t => {
  const others = Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`f${index}`, index]))
  const pino = {
    time: nowMs - 1000,
    level: 50,
    service: 'shop',
    msg: 'it broke',
    'http.route': '/cart/:id',
    req: { method: 'GET' },
    err: { message: 'no cart', stack: 'TypeError: no cart\n    at a.js:1' },
    digest: '2338471',
  }
  const known = {
    timeMs: nowMs - 1000,
    severity: 'error',
    service: 'shop',
    body: 'it broke',
    route: '/cart/:id',
    method: 'GET',
    exception: { type: 'TypeError', message: 'no cart' },
    digest: '2338471',
  }
  const event = read({ ...others, ...pino })
  t.match(event, known)
  t.match(event.attributes, { f0: 0, '…': '[2008 more]' })
  t.match(read({ ...others, stack: pino.err.stack, 'exception.digest': '42', attributes: { app: 'shop' } }), {
    service: 'shop',
    exception: { message: 'no cart' },
    digest: '42',
  })
})

t.test('reads only the stored fields of a large record', async t => {
  let reads = 0
  const record = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`f${index}`, index]))
  const counted = new Proxy(record, {
    get(target, key) {
      reads += 1
      return Reflect.get(target, key)
    },
  })
  t.match(read(counted).attributes, { f999: 999, '…': '[19000 more]' })
  t.equal(reads, 1000)
})

t.test('reads the levels of many loggers', async t => {
  const levels: [object, string][] = [
    [{}, 'info'],
    ...[10, 20, 30, 40, 50, 60].map((level, index): [object, string] => [{ level }, severities[index] ?? '']),
    [{ level: 35 }, 'info'],
    [{ level: '50' }, 'error'],
    [{ level: 'WARNING' }, 'warn'],
    [{ level: 'critical' }, 'fatal'],
    [{ level: 3 }, 'error'],
    [{ level: 7 }, 'debug'],
    [{ level: 0 }, 'info'],
    [{ level: 0, severityText: 'WARN' }, 'warn'],
    [{ PRIORITY: '0' }, 'fatal'],
    [{ severity: 0 }, 'info'],
    [{ severity: 'NOTICE' }, 'info'],
    [{ severity: 13 }, 'warn'],
    [{ severity: 50 }, 'error'],
    [{ severityText: 'DEBUG2' }, 'debug'],
    [{ severity_number: 21 }, 'fatal'],
    [{ 'log.level': 'trace' }, 'trace'],
    [{ log: { level: 'trace' } }, 'trace'],
    [{ level: 'constructor' }, 'info'],
    ...['T', 'V'].map((level): [object, string] => [{ level }, 'trace']),
    [{ level: 'D' }, 'debug'],
    ...['I', 'N'].map((level): [object, string] => [{ level }, 'info']),
    ...['W', 'w', ' W '].map((level): [object, string] => [{ level }, 'warn']),
    [{ level: 'E' }, 'error'],
    ...['F', 'C', 'A'].map((level): [object, string] => [{ level }, 'fatal']),
    [{ severity: 'E' }, 'error'],
    [{ level: 'X' }, 'info'],
    [{ err: { message: 'x' } }, 'error'],
    [{ err: { message: 'x' }, level: 40 }, 'warn'],
    ...[100, 200, 250, 300, 400, 500, 550, 600].map((level, index): [object, string] => [
      { level, message: 'written by Monolog' },
      ['debug', 'info', 'info', 'warn', 'error', 'fatal', 'fatal', 'fatal'][index] ?? '',
    ]),
    [{ level: 70 }, 'fatal'],
    [{ level: 'ERROR+2' }, 'error'],
    [{ level: 'INFO-4' }, 'info'],
    [{ level: '\u001b[31merror\u001b[39m' }, 'error'],
    [{ level: { level: 40_000, levelStr: 'ERROR' } }, 'error'],
    [{ level: { level: 5 } }, 'info'],
    [{ levelname: 'WARNING' }, 'warn'],
    [{ '@l': 'Error' }, 'error'],
    [{ Level: 'Warning' }, 'warn'],
    [{ LogLevel: 'Critical' }, 'fatal'],
    [{ context: { logLevel: 50 }, message: 'written by Roarr' }, 'error'],
  ]
  for (const [record, severity] of levels) t.equal(read(record).severity, severity, JSON.stringify(record))
})

t.test('reads the fields of loggers in other languages', async t => {
  const dotnet = 'System.InvalidOperationException: no cart\n   at Shop.Cart.Total() in /src/Cart.cs:line 13'
  const exception = { type: 'System.InvalidOperationException', message: 'no cart', stack: dotnet }
  const [traceId, spanId] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']
  const timeMs = nowMs - 1000
  const time = new Date(timeMs).toISOString()
  const forms: [object, object][] = [
    [
      {
        '@t': time,
        '@m': 'Hello Ada',
        '@l': 'Warning',
        '@x': dotnet,
        '@tr': traceId,
        '@sp': spanId,
        Name: 'Ada',
      },
      {
        timeMs,
        body: 'Hello Ada',
        severity: 'warn',
        exception,
        traceId,
        spanId,
        attributes: { Name: 'Ada' },
      },
    ],
    [
      { '@t': time, '@mt': 'Hello {Name}' },
      { timeMs, body: 'Hello {Name}', severity: 'info' },
    ],
    [
      {
        ...{ Timestamp: time, Level: 'Error', MessageTemplate: 'Hello {Name}', RenderedMessage: 'Hello Ada' },
        ...{ Exception: dotnet, TraceId: traceId, SpanId: spanId, Properties: { Name: 'Ada' } },
      },
      { timeMs, body: 'Hello Ada', severity: 'error', exception, traceId, spanId },
    ],
    [
      {
        LogLevel: 'Error',
        Category: 'Shop',
        Message: 'failed',
        Exception: dotnet,
        State: { Message: 'failed' },
      },
      { body: 'failed', severity: 'error', exception, attributes: { Category: 'Shop' } },
    ],
    [
      { message: 'failed', level: 400, level_name: 'ERROR', channel: 'app', datetime: time },
      { timeMs, body: 'failed', severity: 'error' },
    ],
    [
      { event: 'failed', level: 'error', timestamp: time },
      { timeMs, body: 'failed', severity: 'error' },
    ],
    // python-json-logger
    [
      { asctime: '2026-11-21 07:10:11,123', levelname: 'ERROR', name: 'shop.cart', message: 'failed' },
      { timeMs: Date.parse('2026-11-21T07:10:11.123Z'), body: 'failed', severity: 'error', attributes: {} },
    ],
    // LoggerJSON
    [
      {
        ...{ severity: 'error', message: 'failed', time },
        metadata: { request_id: 'req-1', error: { initial_call: null, reason: '** (RuntimeError) no cart' } },
      },
      { timeMs, body: 'failed', severity: 'error', requestId: 'req-1', exception: { message: /no cart/ } },
    ],
    // log4j2's JSON templates for Logstash and Elastic
    [
      {
        ...{ '@timestamp': time, level: 'ERROR', message: 'failed', mdc: { traceId } },
        exception: { exception_class: 'Shop.NoCart', exception_message: 'no cart', stacktrace: dotnet },
      },
      { timeMs, severity: 'error', traceId, exception: { ...exception, type: 'Shop.NoCart' } },
    ],
    [
      {
        ...{ '@timestamp': time, 'log.level': 'ERROR', message: 'failed', labels: { request_id: 'req-1' } },
        ...{ 'error.type': 'Shop.NoCart', 'error.message': 'no cart', 'error.stack_trace': dotnet },
      },
      { timeMs, requestId: 'req-1', exception: { ...exception, type: 'Shop.NoCart' }, attributes: {} },
    ],
    // slog
    [
      { time, level: 'ERROR', msg: 'failed', err: 'no cart' },
      { timeMs, body: 'failed', severity: 'error', exception: { type: 'Error', message: 'no cart' } },
    ],
    // rails_semantic_logger: `name` is the class.
    [
      { application: 'Shop', name: 'Cart', timestamp: time, level: 'error', message: 'failed' },
      { timeMs, body: 'failed', severity: 'error', service: 'Shop', attributes: { name: 'Cart' } },
    ],
    [
      { name: 'Cart', msg: 'failed', app: 'shop', level: 'error' },
      { service: 'shop', attributes: { name: 'Cart' } },
    ],
    // bunyan
    [
      { name: 'shop', hostname: 'web-1', pid: 42, level: 50, msg: 'failed', time, v: 0 },
      { timeMs, body: 'failed', severity: 'error', service: 'shop' },
    ],
    // pino
    [
      { level: 50, time: timeMs, pid: 42, hostname: 'web-1', name: 'shop', msg: 'failed', app: { id: 5 } },
      { timeMs, body: 'failed', severity: 'error', service: 'shop', attributes: { app: { id: 5 } } },
    ],
    // journald
    [
      { __REALTIME_TIMESTAMP: `${timeMs}000`, PRIORITY: '3', SYSLOG_IDENTIFIER: 'shop', MESSAGE: 'failed' },
      { timeMs, body: 'failed', severity: 'error', service: 'shop' },
    ],
    // Docker's journald driver: the identifier is the id of the container.
    [
      { SYSLOG_IDENTIFIER: '4f1c2d9a7b3e', CONTAINER_NAME: 'shop', PRIORITY: '3', MESSAGE: 'failed' },
      {
        body: 'failed',
        severity: 'error',
        service: 'shop',
        attributes: { SYSLOG_IDENTIFIER: '4f1c2d9a7b3e' },
      },
    ],
    // PostgreSQL
    [
      { timestamp: time.replace('T', ' ').replace('Z', ' GMT'), error_severity: 'FATAL', message: 'failed' },
      { timeMs, body: 'failed', severity: 'fatal', attributes: {} },
    ],
    // Datadog's libraries add `dd`, and loggers for Google Cloud write Protobuf timestamps.
    [
      {
        ...{ message: 'failed', timestamp: { seconds: Math.floor(timeMs / 1000), nanos: 0 } },
        dd: { service: 'shop', version: '1.4.0', trace_id: traceId },
      },
      { timeMs, body: 'failed', service: 'shop', release: '1.4.0', traceId, attributes: {} },
    ],
    [
      { msg: 'placed', event: 'order' },
      { body: 'placed', attributes: { event: 'order' } },
    ],
  ]
  for (const [record, event] of forms) t.match(read(record), event, JSON.stringify(record))
})

t.test('reads known fields from the objects in which loggers nest them', async t => {
  const nested = { name: 'Ada', version: 3, level: 'error', cart: 5, extra: { reqId: 'req-1' } }
  t.match(read({ msg: 'hello', context: nested }), {
    severity: 'error',
    service: 'unknown',
    release: null,
    requestId: 'req-1',
    attributes: { context: { name: 'Ada', version: 3, cart: 5 } },
  })
  t.match(
    read({ level: 'info', reqId: 'outer', context: { level: 'error', reqId: 'req-1' } }),
    { severity: 'info', requestId: 'outer', attributes: { context: { level: 'error', reqId: 'req-1' } } },
    'the top level takes precedence',
  )
  t.match(read({ cart: { level: 'error', reqId: 'req-1' } }), { severity: 'info', requestId: null })
  t.match(
    read({ cart: { error: { message: 'declined' } } }),
    { exception: null },
    'in other objects, only an error with a stack counts as an exception',
  )
})

t.test("finds the digest of an error inside the object named by pino's nestedKey", async t => {
  const err = { type: 'Error', message: 'no cart', stack: 'Error: no cart\n    at a.js:1', digest: '2338471' }
  t.match(read({ level: 50, msg: 'failed', custom: { err, reqId: 'req-1' } }), {
    digest: '2338471',
    requestId: 'req-1',
    exception: { message: 'no cart' },
    attributes: { custom: { err: {} } },
  })
})

t.test('finds the error in a message from AWS Lambda', async t => {
  const stackTrace = ['TypeError: no cart', '    at Runtime.handler (/var/task/index.js:2:3)']
  t.match(
    read({ level: 'ERROR', message: { errorType: 'TypeError', errorMessage: 'no cart', stackTrace } }),
    {
      body: 'no cart',
      exception: { type: 'TypeError', message: 'no cart', stack: stackTrace.join('\n') },
      fingerprint: 'aaaaaaaaaa',
      attributes: { message: { errorType: 'TypeError', errorMessage: 'no cart' } },
    },
  )
  t.match(read({ message: { order: 5 } }), { exception: null, attributes: { message: { order: 5 } } })
})

t.test("reads OpenTelemetry's attributes in a record with a field that zap also uses", async t => {
  t.match(read({ msg: 'x', L: 3, attributes: { 'service.name': 'shop', level: 'error' } }), {
    ...{ service: 'shop', severity: 'error' },
    attributes: { L: 3 },
  })
})

t.test('reads timestamps in many formats', async t => {
  const at = Date.UTC(2026, 10, 21, 9, 30, 15, 123)
  const forms: [unknown, number][] = [
    [at, at],
    [at / 1000, at],
    [String(at), at],
    [at * 1000 + 456, at + 0.456],
    [`${at}456789`, at + 0.457],
    [at * 1e6, at],
    ['2026-11-21T09:30:15.123Z', at],
    ['2026-11-21T09:30:15.123456Z', at + 0.456],
    ['2026-11-21 09:30:15,123', at],
    ['2026-11-21T11:30:15.123+02:00', at],
    ['2026-11-21T11:30:15.123+0200', at],
    // Ruby, PostgreSQL, Go and Java
    ['2026-11-21 09:30:15.123 UTC', at],
    ['2026-11-21 09:30:15.123 GMT', at],
    ['2026-11-21 11:30:15.123+02', at],
    ['2026-11-21 05:00:15.123-04:30', at],
    ['2026-11-21 09:30:15.123456 +0000 UTC', at + 0.456],
    ['2026-11-21 10:30:15.123 +0100 CET m=+0.000012', at],
    ['2026-11-21 12:30:15.123 +0300 +03', at],
    ['2026-11-21T10:30:15.123+01:00[Europe/Berlin]', at],
    ['2026-11-21T09:30:15.123Z[UTC]', at],
    ['Sat, 21 Nov 2026 09:30:15 GMT', at - 123],
  ]
  for (const [time, ms] of forms) {
    const event = read({ time })
    t.equal(event.timeMs.toFixed(2), ms.toFixed(2), String(time))
    t.same(event.attributes, {}, String(time))
  }
})

t.test('the arrival time replaces an unusable timestamp, which is stored as an attribute', async t => {
  const wrong = [
    0,
    -1,
    12.5,
    null,
    '',
    'soon',
    'event 1',
    '1970-01-01',
    nowMs + 2 * 86_400_000,
    '9999-12-31',
    '2026-13-45',
    // The date of a booking or a birth. No logger omits the time of day.
    '2026-11-20',
    // The offset of this zone is unknown.
    '2026-11-21 10:30:15 CET',
    {},
    true,
  ]
  for (const time of wrong) {
    const event = read({ time })
    t.equal(event.timeMs, nowMs, String(time))
    t.same(event.attributes, { time }, String(time))
  }
  t.match(read({ time: 'soon', timestamp: nowMs - 1 }), { timeMs: nowMs - 1, attributes: { time: 'soon' } })
  t.match(
    read({ time: nowMs + 1000 }),
    { timeMs: nowMs + 1000, attributes: {} },
    'accepts timestamps from a clock that is slightly ahead',
  )
})

t.test("a fast clock does not change the order of a sender's events", async t => {
  for (const aheadMs of [1001, 1100, 3 * 60_000, 14 * 3_600_000]) {
    const time = new Date(nowMs + aheadMs).toISOString()
    const [kept, reduced] = [read({ time: nowMs + 500 }), read({ time })]
    t.ok(reduced.timeMs > kept.timeMs, time)
    t.equal(reduced.timeMs, nowMs + 1000, 'ranges that end a second from now include it')
    t.same(reduced.attributes, { time }, 'the time that was sent remains visible')
  }
  t.match(read({ time: nowMs + 5000, timestamp: nowMs - 1 }), { timeMs: nowMs - 1 })
  t.match(read({ time: 'soon', timestamp: nowMs + 5000 }), { timeMs: nowMs + 1000 })
})

t.test('a field with an invalid value is stored as an attribute', async t => {
  const record = {
    status: 'ok',
    statusCode: 99,
    method: 'getCart',
    traceId: '00000000000000000000000000000000',
    spanId: 'xyz',
    duration: -1,
    level: 'loud',
    service: true,
    error: false,
    route: '',
  }
  const event = read(record)
  t.same(event.attributes, record)
  t.match(event, {
    status: null,
    method: null,
    traceId: null,
    service: 'unknown',
    exception: null,
    route: null,
  })
})

t.test('reads durations with units', async t => {
  for (const [duration, ms] of [
    ['12ms', 12],
    ['1.5s', 1500],
    ['200µs', 0.2],
    ['3', 3],
    ['1m2.5s', 62_500],
    ['1h0m1s', 3_601_000],
    [0, 0],
  ] as const) {
    t.equal(read({ duration }).durationMs, ms)
  }
  for (const duration of ['PT1S', '1m2', '1h2s']) t.same(read({ duration }).attributes, { duration })
  const caddy = { msg: 'handled request', request: { method: 'GET', uri: '/x' }, duration: 0.25, status: 200 }
  t.match(read({ ...caddy, logger: 'http.log.access.log0' }), { method: 'GET', status: 200, durationMs: 250 })
  t.equal(read({ body: '', attributes: { ...caddy, logger: 'http.log.access' } }).durationMs, 250)
  t.equal(read({ ...caddy, logger: 'http.log.access', duration: '20ms' }).durationMs, 20)
  t.equal(read({ ...caddy, logger: 'shop' }).durationMs, 0.25)
})

t.test('reads exceptions in many forms', async t => {
  const stack = 'RangeError: too far\n    at go (file:///app/a.js:1:2)'
  const whole = { type: 'RangeError', message: 'too far', stack }
  const forms: [object, object | null][] = [
    [{ err: whole }, whole],
    [{ error: { name: 'RangeError', message: 'too far', stack } }, whole],
    [{ exception: { type: 'RangeError', message: 'too far', stacktrace: stack } }, whole],
    [{ err: stack }, whole],
    [{ level: 'error', message: 'too far', stack }, whole],
    [{ 'exception.stacktrace': stack }, whole],
    [{ error: 'it broke' }, { type: 'Error', message: 'it broke', stack: null }],
    [{ err: { stack } }, whole],
    [{ err: null }, null],
    [{ err: {} }, null],
    [{ error: 7 }, null],
  ]
  for (const [record, exception] of forms) t.same(read(record).exception, exception, JSON.stringify(record))
  t.equal(read({ err: whole }).body, 'too far')
})

t.test('a stack trace in the message becomes the exception', async t => {
  const next = ` ⨯ Error: boom
    at total (/srv/shop/.next/server/chunks/1234.js:1:2)
    at async checkout (/srv/shop/.next/server/app/page.js:3:4) {
  digest: '2338471',
  [cause]: TypeError: no price
      at sum (/srv/shop/.next/server/chunks/1234.js:5:6) {
    digest: '99999'
  }
}`
  t.match(read({ msg: next }), {
    severity: 'error',
    body: 'Error: boom',
    exception: { type: 'Error', message: 'boom', stack: next.trim() },
    digest: '2338471',
    fingerprint: 'aaaaaaaaaa',
  })
  const inspected = "⨯ [Error: boom] { digest: '4163817072@E352', code: 'E1' }"
  for (const field of ['message', 'err'])
    t.match(read({ [field]: inspected }), {
      body: field === 'err' ? 'boom' : 'Error: boom',
      exception: { type: 'Error', message: 'boom', stack: inspected },
      digest: '4163817072@E352',
    })
  const python =
    'Traceback (most recent call last):\n  File "/app/a.py", line 3, in total\n    x\nKeyError: 1'
  t.match(read({ level: 'warn', msg: python }), {
    severity: 'warn',
    body: 'KeyError: 1',
    exception: { type: 'KeyError', message: '1', stack: python },
  })
  t.match(read({ msg: 'said', err: 'Error: x\n    at f (/a.js:1:2)', note: python }), {
    body: 'said',
    exception: { type: 'Error', message: 'x' },
  })
  for (const msg of ['two\nlines', 'at\n  at 10:30', 'Error: once', '[INFO] ready'])
    t.match(read({ msg }), { body: msg, severity: 'info', exception: null, fingerprint: null }, msg)
})

t.test('an error id logged with an exception becomes the digest, and remains an attribute', t => {
  const err = {
    type: 'Error',
    message: 'card declined',
    stack: 'Error: card declined\n    at pay (/app/pay.js:1:1)',
  }
  t.match(read({ level: 50, errorId: 'ref-4711', err }), {
    digest: 'ref-4711',
    attributes: { errorId: 'ref-4711' },
  })
  t.match(read({ level: 50, errorId: 'ref-4711', err: { ...err, digest: '2338471' } }), {
    digest: '2338471',
  })
  t.match(read({ level: 50, correlationId: 'ref-4711', msg: 'no exception' }), {
    digest: null,
  })
  t.end()
})

t.test('an event with an exception or a digest gets a fingerprint', async t => {
  const calls: unknown[] = []
  const recording = createNormalise(createClean([]), {
    fingerprint: (...args) => {
      calls.push(args)
      return 'bbbbbbbbbb'
    },
  })
  t.equal(recording({ msg: 'fine' }, 'ndjson', nowMs).fingerprint, null)
  t.match(recording({ digest: 2338471, msg: 'broke', route: '/a' }, 'ndjson', nowMs), {
    digest: '2338471',
    fingerprint: 'bbbbbbbbbb',
  })
  t.match(calls, [
    [
      { message: 'broke', stack: null },
      { body: 'broke', route: '/a' },
    ],
  ])
  t.match(recording({ digest: '0123456789', err: { message: 'x' } }, 'own', nowMs), {
    fingerprint: '0123456789',
  })
  t.match(recording({ digest: '0123456789', err: { message: 'x' } }, 'ndjson', nowMs), {
    fingerprint: 'bbbbbbbbbb',
  })
})

t.test('`name` is not read as the service if it equals the error type, but `service` is', async t => {
  const err = { type: 'CardDeclined', message: 'no' }
  t.equal(read({ name: 'CardDeclined', err }).service, 'unknown')
  t.equal(read({ name: 'CardDeclined', app: 'shop', err }).service, 'shop')
  t.equal(read({ service: 'CardDeclined', err }).service, 'CardDeclined')
})

t.test('property: any record becomes an event, and no field is lost', async () => {
  const name = fc.oneof(
    fc.string(),
    fc.constantFrom(...['level', 'time', 'msg', 'err', 'req', 'res', 'service', 'attributes', 'resource']),
    fc.constantFrom(...['metadata', 'context', 'record', 'message', 'stack', 'frames', 'cause', 'instant']),
    fc.constantFrom(...['__proto__', 'constructor', 'toString', 'status', 'digest', 'trace.id', 'severity']),
  )
  const { record } = fc.letrec(tie => ({
    record: fc.dictionary(name, tie('value'), { maxKeys: 6, noNullPrototype: false }),
    value: fc.oneof({ depthSize: 'small' }, fc.jsonValue({ maxDepth: 1 }), fc.date(), tie('record')),
  }))
  fc.assert(
    fc.property(record, fc.option(record), fc.stringMatching(/^[a-z]{8}$/), (fields, given, marker) => {
      const same =
        given === null ? {} : { same: 1, attributes: Object.assign(Object(given), { same: marker }) }
      const event = read(Object.assign(Object(fields), { unknown_field: marker, ...same }))
      return (
        Number.isFinite(event.timeMs) &&
        severities.includes(event.severity) &&
        [event.service, event.body].every(text => typeof text === 'string') &&
        (event.fingerprint === null) === (event.exception === null && event.digest === null) &&
        event.attributes.unknown_field === marker &&
        (given === null || event.attributes['attributes.same'] === marker) &&
        JSON.stringify(JSON.parse(JSON.stringify(event))) === JSON.stringify(event) &&
        Reflect.get({}, 'polluted') === undefined
      )
    }),
  )
})
