import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { stackFrames } from '../stacks/stack.ts'
import { createClean } from './clean.ts'
import { createNormalise } from './normalise.ts'

const normalise = createNormalise(createClean([]), { fingerprint: () => 'aaaaaaaaaa' })
const read = (record: object) => normalise(record, 'ndjson', Date.parse('2026-12-01'))

/** Reads the recorded lines of a logger. The paths in them were shortened. */
function eventsOf(name: string) {
  const lines = readFileSync(join(import.meta.dirname, 'fixtures', `${name}.ndjson`), 'utf8')
    .trim()
    .split('\n')
  return lines.map(line => read(JSON.parse(line)))
}

const minute = /^2026-11-26T13:/
const opened = { severity: 'info', body: 'cart opened', exception: null }
const failed = { severity: 'error', body: 'payment failed' }
const thrown = (type: string, message = 'card declined') => ({
  exception: { type, message },
  fingerprint: 'aaaaaaaaaa',
})

const written: Record<string, object[]> = {
  'winston-logstash': [
    {
      ...opened,
      service: 'shop',
      release: '1.4.0',
      requestId: 'req-1',
      attributes: { '@fields': { cart: 5 } },
    },
    { severity: 'error', body: 'card declined', service: 'shop', ...thrown('CardDeclined') },
  ],
  'winston-metadata': [
    {
      ...opened,
      service: 'shop',
      release: '1.4.0',
      requestId: 'req-1',
      attributes: { metadata: { cart: 5 } },
    },
    { severity: 'error', body: 'card declined', service: 'shop', ...thrown('CardDeclined') },
  ],
  'winston-errors': [{ severity: 'error', service: 'unknown', ...thrown('CardDeclined') }],
  log4js: [{ ...opened, requestId: 'req-1' }, failed],
  log4j2: [
    { ...opened, requestId: 'req-1' },
    { ...failed, ...thrown('java.lang.IllegalStateException') },
  ],
  'log4j2-text': [{ ...failed, service: 'shop', ...thrown('java.lang.IllegalStateException') }],
  loguru: [
    { ...opened, service: 'shop', requestId: 'req-1' },
    { ...failed, service: 'shop', requestId: 'req-1', ...thrown('ValueError') },
  ],
  'pino-nested-key': [
    { ...failed, requestId: 'req-1', ...thrown('CardDeclined', 'card declined: no price') },
  ],
  structlog: [{ ...failed, ...thrown('ValueError') }],
  tslog: [{ ...failed, ...thrown('CardDeclined') }],
  zerolog: [opened, { ...failed, ...thrown('Error', 'card declined: no price') }],
  zap: [
    { ...failed, ...thrown('Error', 'card declined: no price') },
    { body: 'broken', severity: 'fatal' },
  ],
  'zap-development': [
    { ...failed, attributes: { N: 'shop', order: 7 }, ...thrown('Error', 'card declined: no price') },
    { severity: 'warn', body: 'slow' },
  ],
  tracing: [
    { ...opened, requestId: 'req-1', attributes: { fields: { cart: 5 } } },
    { ...failed, requestId: 'req-1', ...thrown('Error') },
  ],
  monolog: [{ ...failed, ...thrown('Shop\\CardDeclined') }],
  'monolog-stacktraces': [
    { ...failed, ...thrown('Shop\\CardDeclined') },
    { severity: 'error', body: 'Shop\\CardDeclined: card declined', ...thrown('Shop\\CardDeclined') },
  ],
  ruby: [{ severity: 'error', body: 'card declined (CardDeclined)', ...thrown('CardDeclined') }],
}

t.test('reads the lines that loggers write', async t => {
  for (const [name, expected] of Object.entries(written)) {
    const events = eventsOf(name)
    t.match(events, expected, name)
    t.equal(events.length, expected.length, name)
    for (const { timeMs } of events) t.match(new Date(timeMs).toISOString(), minute, name)
  }
})

const framesOf = (name: string, index = 0) =>
  stackFrames(eventsOf(name)[index]?.exception?.stack ?? '').map(
    ({ functionName, file, line }) => `${functionName} ${file}:${line}`,
  )

t.test("reads one-letter fields only in zap's format", async t => {
  const fields = { L: 50, T: 'cold', M: '5 m' }
  t.match(read({ ...fields, msg: 'measured' }), { severity: 'info', body: 'measured', attributes: fields })
})

t.test('reads stacks and causes that are lists of objects', async t => {
  t.same(framesOf('log4j2', 1), [
    'com.shop.Gen.pay com/shop/Gen.java:5',
    'com.shop.Gen.main com/shop/Gen.java:10',
    'com.shop.Gen.total com/shop/Gen.java:4',
  ])
  t.same(framesOf('log4j2-text'), framesOf('log4j2', 1))
  t.same(framesOf('zerolog', 1).slice(0, 2), ['pay main.go:12', 'main main.go:18'])
  t.same(framesOf('structlog'), [
    'pay /app/shop.py:5',
    'sl /app/shop.py:26',
    'total /app/shop.py:2',
    'pay /app/shop.py:4',
  ])
  t.same(framesOf('monolog'), ['null /app/shop.php:6', 'null /app/shop.php:5'])
  t.same(framesOf('monolog-stacktraces').slice(0, 3), [
    'null /app/shop.php:6',
    'null /app/gen.php:4',
    'null /app/gen.php:4',
  ])
  t.equal(framesOf('tslog').length, 6)
  t.equal(framesOf('loguru', 1)[0], 'pay /app/shop.py:5')
})
