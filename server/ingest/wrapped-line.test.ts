import t from 'tap'
import { createClean } from '../events/clean.ts'
import { createNormalise } from '../events/normalise.ts'
import { unwrapLine } from './wrapped-line.ts'

const nowMs = Date.parse('2026-12-01')
const time = '2026-11-26T13:37:05.554123456Z'
const oldestMs = nowMs - 30 * 86_400_000
const unwrap = (record: object) => unwrapLine(record, nowMs, oldestMs)

t.test('reads the line that Docker, Fluent Bit or journald wrapped', async t => {
  const line = { level: 50, time: 1795700226136, msg: 'no cart' }
  t.same(unwrap({ log: `${JSON.stringify(line)}\n`, stream: 'stdout', time }), { stream: 'stdout', ...line })
  t.same(unwrap({ log: '{"msg":"no cart"}\n', stream: 'stdout', time }), {
    ...{ stream: 'stdout', time },
    msg: 'no cart',
  })
  t.same(unwrap({ log: 'ERROR no cart\n', stream: 'stderr', time }), {
    ...{ stream: 'stderr', time },
    ...{ level: 'error', msg: 'ERROR no cart' },
  })
  t.same(unwrap({ MESSAGE: JSON.stringify(line), PRIORITY: '6', __REALTIME_TIMESTAMP: '1795700226136000' }), {
    PRIORITY: '6',
    ...line,
  })
})

t.test(
  'the time at the start of wrapped text replaces the time at which the collector read the line',
  async t => {
    const at = '2026-11-22T07:10:11.5Z'
    const msg = `${at} served`
    t.same(unwrap({ log: msg, date: 1795700226.5, '@timestamp': time }), { time: Date.parse(at), msg })
    for (const log of [
      '2026-11-22 07:10:11 served',
      '2026-10-22T07:10:11Z served',
      '2026-12-22T07:10:11Z served',
    ])
      t.same(unwrap({ log, time }), { time, msg: log }, 'without a zone, too old or in the future')
    t.same(unwrap({ log: `${time} stderr F ${msg}` }), { time, msg }, "the container runtime's time")
  },
)

t.test('reads the level and the time at the start of a wrapped line that ends in JSON', async t => {
  const at = '2026-11-22T07:10:11.5Z'
  const log = `${at} error: payment failed {"orderId":1}\n`
  const fields = { orderId: 1, msg: `${at} error: payment failed` }
  t.same(unwrap({ log, time }), { time: Date.parse(at), level: 'error', ...fields })
  t.same(
    unwrapLine({ log, time }, nowMs, oldestMs, { hasLevel: true }),
    { time: Date.parse(at), ...fields },
    'a known level',
  )
  t.same(
    unwrap({ log: `${at} error: retried {"severity":"warn","ts":"${time}"}`, time }),
    { severity: 'warn', ts: time, msg: `${at} error: retried` },
    'the fields take precedence',
  )
  t.same(unwrap({ log: `${at} took {"time":"12ms"}` }), {
    ...{ timestamp: Date.parse(at), time: '12ms', msg: `${at} took` },
  })
})

t.test('a field without a valid level does not replace the level at the start of a wrapped line', async t => {
  const normalise = createNormalise(createClean([]), { fingerprint: () => 'aaaaaaaaaa' })
  for (const fields of [{ level: 'gold' }, { level: 0 }, { level: {} }, { level: 'gold', severityText: '' }])
    for (const outer of [{}, { level: 'info' }]) {
      const record = { ...outer, log: `ERROR failed ${JSON.stringify(fields)}` }
      t.match(normalise(unwrap(record), 'ndjson', nowMs), {
        ...{ severity: 'error', body: 'ERROR failed' },
        attributes: fields,
      })
    }
  t.match(unwrap({ log: 'ERROR failed {"lvl":"warn","level":"gold"}' }), {
    lvl: 'warn',
    severityText: undefined,
  })
})

t.test("a time field without a valid time does not replace the collector's time", async t => {
  const msg = 'status=200 time=12ms'
  const fields = { status: 200, time: '12ms' }
  t.match(unwrap({ log: `${msg} method=GET`, time }), { time: '12ms', timestamp: time })
  t.match(unwrap({ log: JSON.stringify({ msg, ...fields }), time, timestamp: 'soon' }), {
    ...{ time: '12ms', timestamp: 'soon', '@timestamp': time },
  })
  t.match(unwrap({ log: `${time} stdout F ${JSON.stringify({ msg, ...fields })}` }), {
    ...{ time: '12ms', timestamp: time },
  })
})

t.test('reads a line that journald wrote as bytes, because it contains colours', async t => {
  const bytes = (text: string) => [...Buffer.from(text)]
  t.same(unwrap({ MESSAGE: bytes('\u001b[31mERROR\u001b[39m no café'), PRIORITY: '6' }), {
    ...{ PRIORITY: '6', level: 'error' },
    msg: 'ERROR no café',
  })
  for (const MESSAGE of [[27, 'a'], [256], [-1], [0.5], 'a'.repeat(3).split('')]) {
    const record = { MESSAGE }
    t.equal(unwrap(record), record)
  }
})

t.test('reads the JSON line that Vector or Filebeat wrapped', async t => {
  const line = { level: 50, msg: 'no cart', err: { type: 'TypeError', message: 'no id' } }
  const message = JSON.stringify(line)
  t.same(unwrap({ container_name: 'shop', message, stream: 'stdout', timestamp: time }), {
    ...{ container_name: 'shop', CONTAINER_NAME: 'shop', stream: 'stdout', timestamp: time },
    ...line,
  })
  const log = { offset: 5, file: { path: '/var/log/shop.log' } }
  const paid = { message: 'paid', time: 1795700226136, log: { level: 'warn' } }
  t.same(unwrap({ '@timestamp': time, message: JSON.stringify(paid), log, service: { type: 'nginx' } }), {
    ...{ service: { type: 'nginx' }, ...paid },
  })
  for (const mark of [
    { source_type: 'file', file: '/var/log/shop.log', host: 'a' },
    { kubernetes: { container_name: 'web', pod_labels: { tier: 'a' } }, stream: 'stderr' },
    { log: { offset: 0 }, input: { type: 'container' } },
    { agent: { type: 'filebeat', name: 'a' }, fields: { service: 'shop' } },
  ])
    t.match(unwrap({ ...mark, message: '{"level":"error","event":"failed"}' }), { level: 'error' })
  const record = { source_type: 'docker_logs', message }
  t.equal(unwrapLine(record, nowMs, oldestMs, { hasLevel: true }), record, 'the level is known')
})

t.test('JSON that a program logged in message cannot replace its fields', async t => {
  const message = '{"service":"billing","level":"fatal","time":1795700226136,"message":"x"}'
  const collected = { source_type: 'docker_logs', container_name: 'shop', timestamp: time }
  for (const record of [
    ...[
      { time, message },
      { service: 'gateway', message },
      { time, message, stream: 'music' },
    ],
    ...[
      { service: 'gateway' },
      { app: 'gateway' },
      { name: 'gateway' },
      { service: { name: 'gateway' } },
      { level: 'info' },
      { severity: 'info' },
      { severityNumber: 9 },
      { 'log.level': 'info' },
      { log: { level: 'info' } },
      { context: { level: 'info' } },
      { message: JSON.stringify({ event: 'order.paid', name: 'Ada' }) },
      { message: JSON.stringify({ event: 'failed', status: 500, date: time }) },
      { message: JSON.stringify({ level: 'gold', message: 'x' }) },
      { message: JSON.stringify({ level: 'fatal', name: 'Ada' }) },
      { message: JSON.stringify({ level: 'fatal', message: {} }) },
      { message: JSON.stringify({ toString: 'fatal', message: 'x' }) },
      { message: `${message} sent` },
      { message: '{"msg":"cut' },
      { message: [message] },
      { msg: 'sent' },
    ].map(fields => ({ ...collected, message, ...fields })),
  ])
    t.equal(unwrap(record), record, JSON.stringify(record))
})

t.test(
  'without a service, the workload or container that the collector named becomes the service',
  async t => {
    const normalise = createNormalise(createClean([]), { fingerprint: () => 'aaaaaaaaaa' })
    const eventOf = (record: object) => normalise(unwrap(record), 'ndjson', nowMs)
    const kubernetes = { pod_name: 'shop-7d9-x2x4z', container_name: 'web' }
    const log = 'ERROR failed'
    const cases: [object, string][] = [
      [{ log, container_name: '/shop-1', container_id: '4f1c2d9a7b3e' }, 'shop-1'],
      [{ log, kubernetes }, 'web'],
      [{ log, kubernetes: { ...kubernetes, labels: { app: 'shop' } } }, 'shop'],
      [{ log, kubernetes: { labels: { app: 'a', 'app.kubernetes.io/name': 'shop' } } }, 'shop'],
      [{ message: '{"level":50,"msg":"failed"}', kubernetes: { pod_labels: { app: 'shop' } } }, 'shop'],
      [{ message: '{"level":50,"msg":"failed"}', kubernetes: { container: { name: 'web' } } }, 'web'],
      [{ log, kubernetes: { labels: { app: '' } }, container_name: 'shop' }, 'shop'],
      [{ log: '{"level":50,"name":"cart","msg":"failed"}', kubernetes }, 'cart'],
      [{ log, service: 'shop', kubernetes }, 'shop'],
      [{ log, kubernetes: 'web' }, 'unknown'],
      [{ log }, 'unknown'],
    ]
    for (const [record, service] of cases)
      t.match(eventOf(record), { service, severity: 'error' }, JSON.stringify(record))
    t.same(eventOf({ log, kubernetes }).attributes, { kubernetes }, 'the names remain searchable')
  },
)

t.test('does not change other records', async t => {
  for (const record of [
    { msg: 'a', log: 'b' },
    { message: 'a', MESSAGE: 'b' },
    { log: { level: 'info' } },
    {},
  ])
    t.equal(unwrap(record), record)
})
