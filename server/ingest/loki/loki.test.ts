import { gzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { compress } from 'snappyjs'
import t, { type Test } from 'tap'
import type { NewEvent } from '../../../shared/event.ts'
import { paths } from '../../../shared/paths.ts'
import { createClean } from '../../events/clean.ts'
import { QueueFullError } from '../../events/events.ts'
import { createNormalise } from '../../events/normalise.ts'
import { readConfig } from '../../settings/config.ts'
import { fakeContext } from '../../testing/fake-context.ts'
import { stubPlugins } from '../../testing/stub-plugins.ts'
import loki from './loki.ts'
import lokiReady from './ready.ts'
import { type Push, protobufOf } from './testing.ts'

type Options = { accept?: () => Promise<void>; check?: () => Promise<never>; draining?: AbortSignal }

async function setUp(t: Test, { accept, check, draining }: Options = {}) {
  const stored: NewEvent[] = []
  const keys: (string | undefined)[] = []
  let rejected = 0
  const fake = fakeContext(check === undefined ? {} : { store: { check } })
  const context = {
    ...fake,
    config: { ...readConfig({}), ingestLimitBytes: 100_000 },
    normalise: createNormalise(createClean([]), fake.failures),
    draining: draining ?? fake.draining,
    events: {
      ...fake.events,
      accept: async (events: readonly NewEvent[], _sizeBytes: number, key?: string) => {
        await accept?.()
        keys.push(key)
        stored.push(...events)
      },
      countRejected: (count: number) => {
        rejected += count
      },
    },
  }
  const app = Fastify()
  stubPlugins(app)
  app.register(loki, { context })
  app.register(lokiReady, { context })
  t.teardown(() => app.close())
  const post = async (payload: string | Buffer, headers: Record<string, string> = {}) => {
    const response = await app.inject({ method: 'POST', url: paths.lokiPush(), payload, headers })
    return { status: response.statusCode, headers: response.headers, body: response.body }
  }
  const json = (push: unknown, headers: Record<string, string> = {}) =>
    post(JSON.stringify(push), { 'content-type': 'application/json', ...headers })
  const ready = async () => {
    const response = await app.inject({ url: paths.lokiReady() })
    return { status: response.statusCode, headers: response.headers, body: response.body }
  }
  return { post, json, ready, stored, keys, rejected: () => rejected }
}

const protobuf = { 'content-type': 'application/x-protobuf' }
const nowMs = Date.now()
const time = `${nowMs}123456`
const one = (line: string, stream: Record<string, string> = {}): Push => ({
  streams: [{ stream, values: [[time, line]] }],
})

t.test('JSON and protobuf produce the same events', async t => {
  const { post, json, stored } = await setUp(t)
  const push: Push = {
    streams: [
      {
        stream: { service_name: 'shop', level: 'warn', version: '1.4.0', pod: 'shop-1' },
        values: [
          [
            time,
            'slow',
            { trace_id: '0af7651916cd43dd8448eb211c80319c', span_id: 'b7ad6b7169203331', user: '7' },
          ],
          [time, '{"level":50,"msg":"broken","reqId":"req-1","password":"x"}'],
        ],
      },
    ],
  }
  const response = await json(push)
  t.match(response, { status: 204, body: '' })
  const packed = Buffer.from(compress(protobufOf(push)))
  t.match(await post(packed, protobuf), { status: 204, body: '' })
  t.match(await post(packed), { status: 204 })
  t.match(await post(packed, { ...protobuf, 'content-encoding': 'snappy' }), { status: 204 })
  t.match(await json(push, { 'content-type': 'application/json; charset=utf-8' }), { status: 204 })
  const gzipped = gzipSync(JSON.stringify(push))
  const gzip = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
  t.match(await post(gzipped, gzip), { status: 204 })

  t.equal(stored.length, 12)
  for (let index = 0; index < stored.length; index += 2)
    t.same(stored.slice(index, index + 2), stored.slice(0, 2))
  t.match(stored, [
    {
      timeMs: nowMs + 0.123,
      severity: 'warn',
      service: 'shop',
      release: '1.4.0',
      source: 'loki',
      body: 'slow',
      traceId: '0af7651916cd43dd8448eb211c80319c',
      spanId: 'b7ad6b7169203331',
    },
    { severity: 'error', service: 'shop', release: '1.4.0', body: 'broken', requestId: 'req-1' },
  ])
  t.same(stored[0]?.attributes, { pod: 'shop-1', user: '7' })
  t.same(stored[1]?.attributes, { pod: 'shop-1', password: '[redacted]' })
})

t.test('a retried request has the same key, but other requests have different keys', async t => {
  const { json, keys } = await setUp(t)
  await json(one('first'))
  await json(one('first'))
  await json(one('second'))
  t.type(keys[0], 'string')
  t.equal(keys[0], keys[1])
  t.not(keys[0], keys[2])
})

t.test('invalid entries are reported and do not affect the others', async t => {
  const { json, stored, rejected } = await setUp(t)
  const values = [[time, 'one'], ['no entry'], [time, 'two'], 7]
  const some = await json({ streams: [{ stream: {}, values }] })
  t.match(some, { status: 400, headers: { 'content-type': /^text\/plain/ } })
  t.equal(
    some.body,
    '2 entries were rejected; the other 2 were stored. First error: entry 2 of stream 1 is not a [time, line] pair\n',
  )
  t.equal(stored.length, 2)
  t.equal(rejected(), 2)
  const single = await json({ streams: [{ stream: {}, values: [7, [time, 'three']] }] })
  t.match(single, { status: 400, body: /^1 entry was rejected; the other one was stored\. First error: / })
  const none = await json({ streams: [{ stream: {}, values: [7] }] })
  t.match(none, { status: 400, body: /nothing was stored/ })
  t.match(await json({ streams: [] }), { status: 204 })
  t.match(await json({ streams: [{ stream: {}, values: [] }] }), { status: 204 })
  t.equal(stored.length, 3)
})

t.test('rejects entries older than the retention period', async t => {
  const { json, stored, rejected } = await setUp(t)
  const old = `${nowMs - 31 * 86_400_000}000000`
  const values = [
    [time, 'one'],
    [old, 'two'],
  ]
  t.match(await json({ streams: [{ stream: {}, values }] }), {
    status: 400,
    body: '1 entry was rejected; the other one was stored. First error: The event is older than the retention period of 30 days\n',
  })
  t.match(stored, [{ body: 'one' }])
  t.equal(rejected(), 1)
})

t.test('replaces implausible times with the arrival time', async t => {
  const { json, stored } = await setUp(t)
  const times = [
    'NaN',
    '',
    '0',
    '-5',
    '1e400',
    '99999999999999999999',
    String((nowMs + 3 * 86_400_000) * 1e6),
  ]
  t.match(await json({ streams: [{ stream: {}, values: times.map(each => [each, 'x']) }] }), { status: 204 })
  t.ok(stored.every(({ timeMs }) => timeMs >= nowMs && timeMs <= Date.now()))
  t.same(
    stored.map(({ attributes }) => attributes),
    times.map(timeUnixNano => ({ timeUnixNano })),
  )
})

t.test('rejects an invalid or oversized body and reports the reason', async t => {
  const { post, json, stored } = await setUp(t)
  const asJson = { 'content-type': 'application/json' }
  const gzip = { ...asJson, 'content-encoding': 'gzip' }
  const push = JSON.stringify(one('one'))
  const good = protobufOf(one('one'))
  const invalid: [string | Buffer, Record<string, string>, number, RegExp][] = [
    ['nonsense', asJson, 400, /JSON/],
    ['', asJson, 400, /JSON/],
    [`${'{"streams":'.repeat(50_000)}`, asJson, 413, /0\.1 MB/],
    [`{"streams":${'['.repeat(20_000)}${']'.repeat(20_000)}}`, asJson, 400, /no list of values/],
    [push, protobuf, 400, /Content-Type: application\/json/],
    ['', protobuf, 400, /Snappy/],
    [Buffer.from(compress(good)).subarray(0, -1), protobuf, 400, /Snappy/],
    [Buffer.from(compress(good.subarray(0, -1))), protobuf, 400, /PushRequest/],
    [Buffer.of(0xff, 0xff, 0xff, 0xff, 0x0f, 0), protobuf, 413, /decompresses/],
    [gzipSync(push).subarray(0, 20), gzip, 400, /gzip/],
    [gzipSync(Buffer.alloc(5_000_000)), gzip, 413, /0\.1 MB/],
    [push, { ...asJson, 'content-encoding': 'rot13' }, 415, /gzip/],
  ]
  for (const [body, headers, status, sentence] of invalid) {
    const response = await post(body, headers)
    t.match(response, { status, headers: { 'content-type': /^text\/plain/ } }, String(sentence))
    t.match(response.body, sentence)
    t.ok(response.body.length < 200)
  }
  t.same(stored, [])
  t.match(await json(one('one')), { status: 204 })
})

t.test('the labels of each entry count towards the size limit', async t => {
  const { json, stored } = await setUp(t)
  const values = Array.from({ length: 100 }, () => [time, 'x'])
  t.match(await json({ streams: [{ stream: { app: 'x'.repeat(1000) }, values }] }), { status: 204 })
  const wide = await json({ streams: [{ stream: { app: 'x'.repeat(10_000) }, values }] })
  t.match(wide, { status: 413, body: /labels/ })
  t.equal(stored.length, 100)
})

t.test('accepts labels and metadata of unexpected types', async t => {
  const { json, stored } = await setUp(t)
  const stream = JSON.parse(
    '{"service":{"toString":1},"level":[],"__proto__":{"polluted":1},"":"x","job":null}',
  )
  t.match(await json({ streams: [{ stream, values: [[time, 'one', { __proto__: 'x' }]] }] }), { status: 204 })
  t.match(stored, [{ service: 'unknown', severity: 'info', body: 'one' }])
  t.equal(Reflect.get({}, 'polluted'), undefined)
  t.match(await json({ streams: [{ stream: ['x'], values: [[time, 'two', 'no metadata']] }] }), {
    status: 204,
  })
})

t.test('a full queue causes a 429 response and an outage a 503 response, both with Retry-After', async t => {
  const full = await setUp(t, { accept: () => Promise.reject(new QueueFullError(3)) })
  t.match(await full.json(one('one')), {
    status: 429,
    headers: { 'retry-after': '3' },
    body: /Nothing from this request was stored/,
  })
  const out = await setUp(t, { accept: () => Promise.reject(new Error('The disk is full: /secret/place')) })
  const response = await out.json(one('one'))
  t.match(response, { status: 503, headers: { 'retry-after': '5' } })
  t.notMatch(response.body, '/secret/place')
})

t.test('the readiness probe fails if the store is unavailable, and during shutdown', async t => {
  const available = await setUp(t)
  t.match(await available.ready(), {
    status: 200,
    body: 'ready\n',
    headers: { 'content-type': /^text\/plain/ },
  })
  const out = await setUp(t, { check: () => Promise.reject(new Error('/secret/place')) })
  t.match(await out.ready(), { status: 503, body: 'The store is unavailable\n' })
  const stopping = await setUp(t, { draining: AbortSignal.abort() })
  t.match(await stopping.ready(), { status: 503, body: 'Stopping\n' })
})
