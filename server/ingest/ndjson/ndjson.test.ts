import { request as httpRequest } from 'node:http'
import * as zlib from 'node:zlib'
import fc from 'fast-check'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import type { NewEvent } from '../../../shared/event.ts'
import { paths } from '../../../shared/paths.ts'
import { textTimeField } from '../../../shared/text-time.ts'
import { createClean } from '../../events/clean.ts'
import { QueueFullError } from '../../events/events.ts'
import { createNormalise } from '../../events/normalise.ts'
import { HttpError } from '../../http/http-error.ts'
import errors from '../../render/error-handler.ts'
import { readConfig } from '../../settings/config.ts'
import { withOverrides } from '../../settings/runtime-settings.ts'
import { fakeContext } from '../../testing/fake-context.ts'
import { stubPlugins } from '../../testing/stub-plugins.ts'
import ndjson from './ndjson.ts'

async function setUp(t: Test, { accept }: { accept?: () => Promise<void> } = {}) {
  const stored: NewEvent[] = []
  const keys: (string | undefined)[] = []
  let rejected = 0
  const fake = fakeContext()
  let retentionDays = 30
  const context = fakeContext({
    config: { ...readConfig({}), ingestLimitBytes: 100_000 },
    settings: {
      ...fake.settings,
      current: () => withOverrides(fake.config, { retentionDays: String(retentionDays) }),
    },
    normalise: createNormalise(createClean([]), fake.failures),
    events: {
      ...fake.events,
      accept: async (events, _sizeBytes, requestKey) => {
        await accept?.()
        stored.push(...events)
        keys.push(requestKey)
      },
      countRejected: count => {
        rejected += count
      },
    },
  })
  const app = Fastify()
  stubPlugins(app)
  app.register(errors, { context })
  app.register(ndjson, { context })
  t.teardown(() => app.close())
  const post = async (
    payload: string | Buffer,
    headers: Record<string, string> = {},
    url: string = paths.ingest(),
  ) => {
    const {
      statusCode,
      headers: responseHeaders,
      body,
    } = await app.inject({
      method: 'POST',
      url,
      payload,
      headers,
    })
    return { status: statusCode, headers: responseHeaders, body: JSON.parse(body) }
  }
  const retain = (days: number) => {
    retentionDays = days
  }
  return { app, post, stored, keys, rejected: () => rejected, retain }
}

const two = '{"msg":"one"}\n{"msg":"two","password":"x"}\n'

t.test('stores lines as events, with any Content-Type', async t => {
  const { post, stored } = await setUp(t)
  const types = [
    'application/x-ndjson',
    'text/plain',
    'application/json',
    'application/x-www-form-urlencoded',
  ]
  for (const type of types) {
    t.match(await post(two, { 'content-type': type }), {
      status: 200,
      body: { accepted: 2, rejected: 0, errors: [] },
    })
  }
  t.match(await post(Buffer.from(two)), { status: 200, body: { accepted: 2 } })
  t.equal(stored.length, 10)
  t.match(stored[1], { body: 'two', source: 'ndjson', attributes: { password: '[redacted]' } })
})

t.test('the query parameter `source` marks lines from standard input', async t => {
  const { post, stored } = await setUp(t)
  t.match(await post(two, {}, paths.ingest({ source: 'stdin' })), { status: 200 })
  t.same(
    stored.map(({ source }) => source),
    ['stdin', 'stdin'],
  )
  for (const source of ['own', 'browser', '', 'stdin&source=stdin']) {
    const response = await post(two, {}, `${paths.ingest()}?source=${source}`)
    t.match(response, { status: 400, body: { message: /ndjson, stdin or absent/ } })
  }
  t.equal(stored.length, 2)
})

t.test(
  'uses the time in the text of a standard-input line if it is plausible and within the retention period',
  async t => {
    const { post, stored } = await setUp(t)
    const dayMs = 86_400_000
    const arrivedMs = Date.now() - 1000
    const stdin = paths.ingest({ source: 'stdin' })
    const timeOf = async (textTime: unknown, url = stdin, time = arrivedMs) => {
      const line = JSON.stringify({ time, [textTimeField]: textTime, msg: 'served' })
      t.match(await post(line, {}, url), { body: { accepted: 1 } })
      return stored.pop()
    }
    t.match(await timeOf(arrivedMs - dayMs + 0.125), { timeMs: arrivedMs - dayMs + 0.125, attributes: {} })
    for (const textTime of [arrivedMs - 31 * dayMs, arrivedMs + dayMs, 0, -1, null, 'soon', {}, [1]]) {
      const event = await timeOf(textTime)
      t.equal(event?.timeMs, arrivedMs, JSON.stringify(textTime))
      t.same(event?.attributes, {})
    }
    t.match(
      await timeOf(arrivedMs - dayMs, stdin, 35),
      { timeMs: arrivedMs - dayMs, attributes: { time: 35 } },
      'a `time` that is not a time becomes an attribute',
    )
    const other = await timeOf(arrivedMs - dayMs, paths.ingest())
    t.equal(other?.timeMs, arrivedMs, 'the field has no effect in other requests')
  },
)

t.test('stores the elements of an array, or a single object', async t => {
  const { post, stored } = await setUp(t)
  t.match((await post('[{"msg":"one"},{"msg":"two"}]')).body, { accepted: 2 })
  t.match((await post('{\n  "msg": "three"\n}')).body, { accepted: 1 })
  t.same(
    stored.map(({ body }) => body),
    ['one', 'two', 'three'],
  )
})

t.test('decompresses gzip, deflate and Brotli', async t => {
  const { post, stored } = await setUp(t)
  const packed: [string, Buffer][] = [
    ['gzip', zlib.gzipSync(two)],
    ['deflate', zlib.deflateSync(two)],
    ['br', zlib.brotliCompressSync(two)],
    ['identity', Buffer.from(two)],
  ]
  for (const [encoding, body] of packed) {
    t.match(
      await post(body, { 'content-encoding': encoding }),
      { status: 200, body: { accepted: 2 } },
      encoding,
    )
  }
  t.equal(stored.length, 8)
})

t.test('decompresses zstd if the runtime supports it, otherwise responds with 415', async t => {
  const { post } = await setUp(t)
  const compress: unknown = Reflect.get(zlib, 'zstdCompressSync')
  const packed = typeof compress === 'function' ? Reflect.apply(compress, zlib, [two]) : 'anything'
  const { status, headers, body } = await post(packed, { 'content-encoding': 'zstd' })
  if (typeof compress === 'function') t.match({ status, body }, { status: 200, body: { accepted: 2 } })
  else {
    t.equal(status, 415)
    t.equal(headers['accept-encoding'], 'gzip, deflate, br')
    t.match(body.message, /Use gzip, deflate, br or none/)
  }
})

t.test('invalid lines are reported and do not affect the others', async t => {
  const { post, stored, rejected } = await setUp(t)
  const { status, body } = await post('{"msg":"one"}\nnonsense\n[]\n{"msg":"two"}')
  t.equal(status, 200)
  t.match(body, {
    accepted: 2,
    rejected: 2,
    errors: [
      { line: 2, reason: String },
      { line: 3, reason: String },
    ],
  })
  t.equal(stored.length, 2)
  t.equal(rejected(), 2)
  const many = await post(`${'nonsense\n'.repeat(100)}{}`)
  t.match(many.body, { accepted: 1, rejected: 100 })
  t.equal(many.body.errors.length, 20)
})

t.test('rejects lines older than the retention period', async t => {
  const { post, stored, rejected, retain } = await setUp(t)
  const daysAgo = (days: number) => JSON.stringify({ time: Date.now() - days * 86_400_000, msg: `${days}` })
  const reason = 'The event is older than the retention period of 30 days'
  t.match(await post([29, 31, 400].map(daysAgo).join('\n')), {
    status: 200,
    body: {
      accepted: 1,
      rejected: 2,
      errors: [
        { line: 2, reason },
        { line: 3, reason },
      ],
    },
  })
  t.same(
    stored.map(({ body }) => body),
    ['29'],
  )
  t.equal(rejected(), 2)
  t.match(await post(daysAgo(31)), {
    status: 400,
    body: { message: `No line was stored. Line 1: ${reason}` },
  })
  retain(1)
  t.match(
    (await post(`${daysAgo(2)}\n{}`)).body.errors,
    [{ reason: /retention period of 1 day$/ }],
    'the current setting applies',
  )
})

t.test('a partly rejected request is stored again if longer retention makes more lines valid', async t => {
  const { post, stored, keys, retain } = await setUp(t)
  const daysAgo = (days: number) => JSON.stringify({ time: Date.now() - days * 86_400_000, msg: `${days}` })
  const body = [1, 40].map(daysAgo).join('\n')
  const send = () => post(body, { 'idempotency-key': 'import-1' })
  t.match((await send()).body, { accepted: 1, rejected: 1 })
  t.match((await send()).body, { accepted: 1, rejected: 1 })
  t.type(keys[0], 'string')
  t.equal(keys[1], keys[0], 'an immediate retry')
  retain(60)
  t.match((await send()).body, { accepted: 2, rejected: 0 })
  t.equal(stored.at(-1)?.body, '40')
  t.not(keys[2], keys[0])
})

t.test('responds with 400 if all lines are invalid, but not if the body is empty', async t => {
  const { post } = await setUp(t)
  t.match(await post('nonsense'), { status: 400, body: { error: 'Bad Request', accepted: 0, rejected: 1 } })
  t.match((await post('nonsense')).body.message, /Line 1: /)
  t.match(await post('\n'), { status: 200, body: { accepted: 0, rejected: 0 } })
})

t.test('rejects an oversized body, compressed or not', async t => {
  const { post, stored } = await setUp(t)
  const line = '{"msg":"one"}\n'
  for (const [body, headers] of [
    [line.repeat(10_000), {}],
    [zlib.gzipSync(line.repeat(10_000)), { 'content-encoding': 'gzip' }],
    [zlib.gzipSync(Buffer.alloc(5_000_000), { level: 1 }), { 'content-encoding': 'gzip' }],
  ] as const) {
    t.match(await post(body, headers), { status: 413, body: { message: /0\.1 MB/ } })
  }
  t.same(stored, [])
})

t.test('rejects a corrupt or unsupported encoding', async t => {
  const { post } = await setUp(t)
  t.match(await post('no gzip', { 'content-encoding': 'gzip' }), { status: 400, body: { message: /gzip/ } })
  const half = zlib.gzipSync(two).subarray(0, 20)
  t.match(await post(half, { 'content-encoding': 'gzip' }), { status: 400 })
  t.match(await post(two, { 'content-encoding': 'snappy' }), { status: 415, body: { message: /gzip/ } })
})

t.test('responds to an oversized body before it is complete', async t => {
  const { app } = await setUp(t)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const sending = httpRequest(`${app.listeningOrigin}${paths.ingest()}`, { method: 'POST', agent: false })
    sending.on('response', response => {
      response.resume()
      sending.end()
      resolve(response.statusCode)
    })
    sending.on('error', reject)
    sending.write('x'.repeat(300_000))
  })
  t.equal(status, 413)
})

t.test('a client that disconnects does not cause an error', async t => {
  const { app, stored } = await setUp(t)
  const failed: unknown[] = []
  app.addHook('onError', async (_request, _reply, error) => {
    if (!(error instanceof HttpError)) failed.push(error)
  })
  const responded = new Promise<void>(resolve => app.addHook('onSend', async () => resolve()))
  await app.listen({ port: 0, host: '127.0.0.1' })
  const sending = httpRequest(`${app.listeningOrigin}${paths.ingest()}`, { method: 'POST', agent: false })
  sending.on('error', () => {})
  app.server.once('request', () => sending.destroy())
  sending.write(two)
  await responded
  t.same(failed, [])
  t.same(stored, [])
})

t.test('a full queue causes a 429 response and an outage a 503 response, both with Retry-After', async t => {
  const full = await setUp(t, { accept: () => Promise.reject(new QueueFullError(3)) })
  t.match(await full.post(two), {
    status: 429,
    headers: { 'retry-after': '3' },
    body: { error: 'Too Many Requests' },
  })
  const out = await setUp(t, { accept: () => Promise.reject(new Error('The disk is full: /secret/place')) })
  const response = await out.post(two)
  t.match(response, { status: 503, headers: { 'retry-after': '5' } })
  t.notMatch(JSON.stringify(response), '/secret/place')
})

t.test('property: chunk boundaries in a body do not affect the result', async t => {
  const { app, stored } = await setUp(t)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const send = (pieces: Buffer[]) =>
    new Promise<void>((resolve, reject) => {
      const sending = httpRequest(`${app.listeningOrigin}${paths.ingest()}`, { method: 'POST', agent: false })
      sending.on('response', response => response.resume().on('end', resolve))
      sending.on('error', reject)
      for (const piece of pieces) sending.write(piece)
      sending.end()
    })
  const messages = fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { minLength: 1, maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(messages, fc.array(fc.nat({ max: 100 }), { maxLength: 8 }), async (texts, cuts) => {
      stored.length = 0
      const body = Buffer.from(texts.map(msg => JSON.stringify({ msg })).join('\n'))
      const places = [...new Set([0, ...cuts.map(cut => cut % body.length), body.length])].sort(
        (a, b) => a - b,
      )
      await send(places.slice(1).map((place, index) => body.subarray(places[index], place)))
      return JSON.stringify(stored.map(event => event.body)) === JSON.stringify(texts)
    }),
    { numRuns: 30 },
  )
})
