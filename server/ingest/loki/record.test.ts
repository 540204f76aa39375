import fc from 'fast-check'
import t from 'tap'
import { createClean } from '../../events/clean.ts'
import { createNormalise } from '../../events/normalise.ts'
import { parseLine } from '../parse-line.ts'
import { readLabelFields, recordOf } from './record.ts'

const nowMs = Date.UTC(2026, 10, 21, 12)
const normalise = createNormalise(createClean([]), { fingerprint: () => 'aaaaaaaaaa' })
const oldestMs = nowMs - 30 * 86_400_000
const timeUnixNano = `${nowMs - 1000}000000`
const read = (labels: Record<string, unknown>, line: string) =>
  normalise(recordOf(readLabelFields(labels), { line, timeUnixNano }, { nowMs, oldestMs }), 'loki', nowMs)

t.test('parses lines into fields', async t => {
  const cases: [string, object][] = [
    ['plain text\n', { msg: 'plain text' }],
    ['', { msg: '' }],
    ['\u001b[31mred\u001b[0m', { msg: 'red' }],
    ['{"msg":"one"}', { msg: 'one' }],
    [' {"msg":"one"} \n', { msg: 'one' }],
    ['{"msg":"one"', { msg: '{"msg":"one"' }],
    ['{not json}', { msg: '{not json}' }],
    ['[1]', { msg: '[1]' }],
    [
      'checkout failed {"level":"error","status":500}',
      { msg: 'checkout failed', level: 'error', status: 500 },
    ],
    ['it said {"msg":"no"}', { msg: 'it said {"msg":"no"}' }],
    [
      '2026-11-21T11:59:58.123456789Z stdout F {"msg":"one"}',
      { time: '2026-11-21T11:59:58.123456789Z', msg: 'one' },
    ],
    ['2026-11-21T11:59:58Z stderr F WARN x', { time: '2026-11-21T11:59:58Z', msg: 'WARN x' }],
    ['2026-11-21T11:59:58Z stdout X x', { msg: '2026-11-21T11:59:58Z stdout X x' }],
    ['level=info msg="x y" status=200', { level: 'info', msg: 'x y', status: 200 }],
    ['at=info status=200', { at: 'info', status: 200, msg: 'at=info status=200' }],
    ['Error: broken\n    at go (/app/a.js:1:2)\n', { msg: 'Error: broken\n    at go (/app/a.js:1:2)' }],
  ]
  for (const [line, fields] of cases) t.same(parseLine(line, nowMs).fields, fields, line)
  const deep = `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`
  t.same(parseLine(deep, nowMs).fields, { msg: deep })
  const long = JSON.stringify({ msg: 'x'.repeat(2_000_000) })
  t.same(parseLine(long, nowMs).fields, { msg: long })
  const colourful = `\u001b${';a'.repeat(8_000_000)}`
  t.ok(parseLine(colourful, nowMs).fields.msg === colourful)
})

t.test('property: parsing never loses the end of a line', async () => {
  const piece = fc.oneof(fc.string(), fc.constantFrom('{"', '"}', ' {"a":', '}', 'a=1 ', '\u001b[31m', '\n'))
  const end = fc.stringMatching(/^[a-z]{8}$/)
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 15 }),
      end,
      fc.constantFrom('', '"}', '}'),
      (pieces, word, close) =>
        JSON.stringify(parseLine(`${pieces.join('')} ${word}${close}`, nowMs)).includes(word),
    ),
  )
})

t.test('reads the service from the line, otherwise from labels in order of precedence', async t => {
  const cases: [Record<string, unknown>, string, string][] = [
    [{}, 'x', 'unknown'],
    [{ job: 'varlogs' }, 'x', 'varlogs'],
    [{ job: 'prod/shop', container: 'shop' }, 'x', 'shop'],
    [{ job: 'prod/shop', app: 'shop-web' }, 'x', 'shop-web'],
    [{ app: 'shop-web', service: 'web', service_name: 'shop' }, 'x', 'shop'],
    [{ app_kubernetes_io_name: 'shop', name: '' }, 'x', 'shop'],
    [{ job: 'undefined' }, 'x', 'unknown'],
    [{ service_name: 'shop' }, '{"service":"cart"}', 'cart'],
    [{ service_name: 'shop' }, '{"service.name":"cart"}', 'cart'],
    [{ service_name: 'shop' }, '{"service":{"name":"cart"}}', 'cart'],
    [{ service_name: 'shop' }, '{"name":"Alice","msg":"signed in"}', 'shop'],
    [{ job: 'varlogs' }, '{"name":"cart","level":30}', 'cart'],
    [{ app: 'shop' }, '{"service":""}', 'shop'],
    [{ app: 'shop' }, '{"service":{"id":5}}', 'shop'],
    [{ app: 'shop' }, '{"service.name":null}', 'shop'],
    [{ job: 'shop' }, '{"service":null}', 'shop'],
  ]
  for (const [labels, line, service] of cases)
    t.equal(read(labels, line).service, service, `${JSON.stringify(labels)} ${line}`)
  t.same(read({ container: 'shop', pod: 'shop-1' }, 'x').attributes, { container: 'shop', pod: 'shop-1' })
  t.same(read({ service_name: 'shop', app: 'web' }, 'x').attributes, { app: 'web' })
})

t.test('reads severity, release and time from the line, otherwise from labels and the entry', async t => {
  t.match(read({ level: 'error' }, 'x'), { severity: 'error', attributes: {} })
  t.match(read({ detected_level: 'warning' }, 'x'), { severity: 'warn' })
  t.match(read({ severity: 'critical' }, 'x'), { severity: 'fatal' })
  t.match(read({ level: '20' }, 'x'), { severity: 'debug' })
  t.match(read({ level: 'info' }, '{"level":50}'), { severity: 'error' })
  t.match(read({ level: 'info' }, '{"severity":"ERROR"}'), { severity: 'error' })
  t.match(read({ level: 'info' }, 'level=warn msg=x'), { severity: 'warn' })
  t.match(read({ version: '1.4.0' }, 'x'), { release: '1.4.0' })
  t.match(read({ service_version: '1.4.0' }, 'x'), { release: '1.4.0' })
  t.match(read({ version: '1.4.0' }, '{"version":"2.0.0"}'), { release: '2.0.0' })

  t.match(read({ level: 'error' }, '{"level":null,"msg":"x"}'), { severity: 'error', body: 'x' })
  t.match(read({ level: 'unknown' }, 'ERROR failed'), { severity: 'error' })
  t.match(read({ level: 'unknown', detected_level: 'error' }, 'x'), {
    severity: 'error',
    attributes: { level: 'unknown' },
  })

  t.equal(read({}, 'x').timeMs, nowMs - 1000)
  t.match(read({}, `{"time":${nowMs - 5000}}`), { timeMs: nowMs - 5000, attributes: {} })
  t.match(read({}, '{"time":"soon"}'), { timeMs: nowMs - 1000, attributes: { time: 'soon' } })
  t.match(read({}, 'ts=2026-11-21T11:59:58Z level=info msg=x'), { timeMs: nowMs - 2000 })
})

t.test('reads a time with a zone from plain text, and a severity if no label contains one', async t => {
  t.match(read({}, 'E1121 11:00:00.123456 42 server.go:42] failed'), { severity: 'error' })
  t.match(read({}, '[warn] slow'), { severity: 'warn', body: '[warn] slow', attributes: {} })
  t.match(read({ level: 'debug' }, '[warn] slow'), { severity: 'debug' }, 'a label takes precedence')
  t.match(
    read({}, '{"msg":"[warn] slow"}'),
    { severity: 'info' },
    'a level in the message counts only in plain text',
  )

  const line = '2026-11-21T11:00:00.123456Z served'
  t.match(read({}, line), { timeMs: nowMs - 3_600_000 + 123.456, body: line, attributes: {} })
  t.match(read({}, '192.0.2.7 - - [21/Nov/2026:12:00:00 +0100] "GET /"'), { timeMs: nowMs - 3_600_000 })
  for (const other of [
    '2026-11-21 11:00:00 without a zone',
    '2026-11-21T12:00:02Z in the future',
    '2026-10-01T11:00:00Z older than the retention period',
    '{"msg":"2026-11-21T11:00:00Z in JSON"}',
  ]) {
    t.equal(read({}, other).timeMs, nowMs - 1000, other)
  }
})

t.test('reads the time and severity at the start of a line that ends in JSON', async t => {
  const at = '2026-11-21T11:00:00.123Z'
  const timeMs = Date.parse(at)
  const zap = `${at}\tERROR\tcontroller\tfailed`
  t.match(read({}, `${zap}\t{"pod":"a"}`), { severity: 'error', timeMs, body: zap, attributes: { pod: 'a' } })
  t.match(read({ level: 'debug' }, `${zap}\t{"pod":"a"}`), { severity: 'debug', timeMs })
  const line = `${at} error: failed`
  t.match(read({}, `${line} {"level":"warn","time":${timeMs - 1000}}`), {
    ...{ severity: 'warn', timeMs: timeMs - 1000, attributes: {} },
  })
  t.match(read({}, `${line} {"severity":"WARNING","time":"12ms"}`), { severity: 'warn', timeMs })
})

t.test('reads the log lines of AWS Lambda functions', async t => {
  const requestId = '79b4f56e-95b1-4643-9700-2807f4e68189'
  const time = new Date(nowMs - 2000).toISOString()
  const common = { timeMs: nowMs - 2000, requestId }
  const stack = 'TypeError: no cart\r    at pay (/var/task/cart.js:1:2)'
  t.match(read({}, `${time}\t${requestId}\tWARN\tslow\n`), { ...common, severity: 'warn', body: 'slow' })
  t.match(read({}, `[ERROR]\t${time}\t${requestId}\tfailed`), {
    ...common,
    severity: 'error',
    body: 'failed',
  })
  t.match(read({}, `${time}\tundefined\tINFO\tready`), { requestId: null, body: 'ready' })
  t.match(read({}, `${time}\t${requestId}\tERROR\t${stack}`), {
    ...common,
    exception: { type: 'TypeError', message: 'no cart' },
  })
  for (const fields of [{ level: 50 }, { severity: 'ERROR' }]) {
    const line = JSON.stringify({ msg: 'failed', ...fields })
    t.match(read({}, `${time}\t${requestId}\tINFO\t${line}`), {
      ...common,
      severity: 'error',
      body: 'failed',
    })
  }
  const error = { errorType: 'TypeError', errorMessage: 'no cart', stack: stack.split('\r') }
  t.match(read({}, `${time}\t${requestId}\tERROR\tInvoke Error \t${JSON.stringify(error)}`), {
    ...{ ...common, body: 'Invoke Error' },
    exception: { type: 'TypeError', message: 'no cart' },
  })
})

t.test('reads the line that a log collector wrapped', async t => {
  const wrapped = {
    log: '{"level":50,"name":"cart","msg":"no cart","err":{"type":"TypeError","message":"no id"}}\n',
    stream: 'stdout',
  }
  t.match(read({ job: 'fluent-bit' }, JSON.stringify(wrapped)), {
    ...{ severity: 'error', service: 'cart', body: 'no cart' },
    exception: { type: 'TypeError', message: 'no id' },
    attributes: { stream: 'stdout' },
  })
  const contained = JSON.stringify({ log: 'failed', kubernetes: { container_name: 'web' } })
  const attributes = { kubernetes: { container_name: 'web' } }
  const labelled = read({ app: 'shop' }, contained)
  t.equal(labelled.service, 'shop', 'a service label takes precedence')
  t.same(labelled.attributes, attributes)
  const unlabelled = read({ job: 'fluent-bit' }, contained)
  t.equal(unlabelled.service, 'web')
  t.same(unlabelled.attributes, { job: 'fluent-bit', ...attributes })
  t.match(read({ job: 'journal' }, '{"MESSAGE":"ERROR failed","PRIORITY":"6"}'), {
    ...{ severity: 'error', service: 'journal', body: 'ERROR failed' },
  })
})

t.test('reads the labels that the OpenTelemetry Collector writes', async t => {
  const labels = {
    service_name: 'shop',
    exception_type: 'RangeError',
    exception_message: 'too far',
    exception_stacktrace: 'RangeError: too far\n    at go (/app/a.js:1:2)',
    http_request_method: 'GET',
    http_route: '/cart/:id',
    http_response_status_code: '500',
    traceID: '0af7651916cd43dd8448eb211c80319c',
  }
  t.match(read(labels, 'failed'), {
    service: 'shop',
    exception: { type: 'RangeError', message: 'too far', stack: /at go/ },
    method: 'GET',
    route: '/cart/:id',
    status: 500,
    traceId: '0af7651916cd43dd8448eb211c80319c',
    attributes: {},
  })
})

t.test('a stack trace in a line becomes an exception', async t => {
  const stack = "TypeError: no cart\n    at go (/app/a.js:1:2) {\n  digest: '2338471'\n}"
  t.match(read({ app: 'shop' }, `\u001b[31m${stack}\u001b[39m\n`), {
    service: 'shop',
    severity: 'error',
    exception: { type: 'TypeError', message: 'no cart', stack: /at go/ },
    digest: '2338471',
  })
})
