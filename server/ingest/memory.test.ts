/** Tests the memory budget that all ingest endpoints share. */
import { EventEmitter, once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { compress } from 'snappyjs'
import t, { type Test } from 'tap'
import { paths } from '../../shared/paths.ts'
import { until } from '../../shared/testing/until.ts'
import { createClean } from '../events/clean.ts'
import { createNormalise } from '../events/normalise.ts'
import { createRequestMemory } from '../http/request-memory.ts'
import errors from '../render/error-handler.ts'
import { readConfig } from '../settings/config.ts'
import { fakeContext } from '../testing/fake-context.ts'
import { stubPlugins } from '../testing/stub-plugins.ts'
import { sizeInMemory } from './event-size.ts'
import ingest from './http-endpoints.ts'

const limitBytes = 100_000

async function start(
  t: Test,
  limits: { bodyBytes?: number; eventBytes?: number },
  prepare: (app: FastifyInstance) => void = () => {},
) {
  const fake = fakeContext()
  const memory = createRequestMemory(limits)
  let stored = 0
  const context = fakeContext({
    config: { ...readConfig({}), ingestLimitBytes: limitBytes },
    normalise: createNormalise(createClean([]), fake.failures),
    memory,
    events: {
      ...fake.events,
      accept: async events => {
        stored += events.length
      },
    },
  })
  const app = Fastify()
  stubPlugins(app)
  prepare(app)
  app.register(errors, { context })
  app.register(ingest, { context })
  await app.listen({ port: 0, host: '127.0.0.1' })
  t.teardown(() => app.close())
  const post = async (path: string, body: string | Buffer, headers: Record<string, string> = {}) => {
    const response = await fetch(app.listeningOrigin + path, {
      method: 'POST',
      body: Buffer.from(body),
      headers,
    })
    return {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      body: await response.text(),
    }
  }
  return { app, memory, post, stored: () => stored }
}

const json = { 'content-type': 'application/json' }
const line = JSON.stringify({ msg: 'x'.repeat(90) })
const lines = Array.from({ length: 900 }, () => line).join('\n')

t.test("responds with 429 in each protocol's format when the body budget is used up", async t => {
  const { memory, post, stored } = await start(t, { bodyBytes: 120_000 })
  const other = memory.bodies.openLease()
  other.reserve(60_000)
  const push = JSON.stringify({ streams: [{ stream: {}, values: [['1', 'x'.repeat(70_000)]] }] })
  const logs = JSON.stringify({ other: 'x'.repeat(70_000) })
  const requests: [string, string | Buffer, Record<string, string>, RegExp][] = [
    [paths.ingest(), lines, {}, /^\{"error":"Too Many Requests"/],
    [paths.ingest(), gzipSync(lines), { 'content-encoding': 'gzip' }, /^\{"error"/],
    [paths.otlpLogs(), logs, json, /^\{"message":"Sixpane is receiving too much data/],
    [paths.lokiPush(), push, json, /^Sixpane is receiving too much data/],
    [paths.lokiPush(), Buffer.from(compress(Buffer.from(lines))), {}, /^Sixpane is receiving too much data/],
  ]
  for (const [path, body, headers, format] of requests) {
    t.match(await post(path, body, headers), { status: 429, retryAfter: '2', body: format }, path)
    t.equal(memory.bodies.usedBytes(), 60_000, "the rejected request's reservation is released")
  }
  t.match(await post(paths.ingest(), line), { status: 200 })
  other.release()
  t.match(await post(paths.ingest(), lines), { status: 200 })
  t.equal(stored(), 901)
  t.equal(memory.bodies.usedBytes(), 0)
})

t.test('accepts a body within the ingest limit if no other request is in progress', async t => {
  const { memory, post, stored } = await start(t, { bodyBytes: 1000, eventBytes: 1000 })
  t.match(await post(paths.ingest(), lines), { status: 200 })
  t.match(await post(paths.ingest(), gzipSync(lines), { 'content-encoding': 'gzip' }), { status: 200 })
  t.match(await post(paths.ingest(), 'x'.repeat(limitBytes + 1)), { status: 413 })
  t.equal(stored(), 1800)
  t.equal(memory.bodies.usedBytes() + memory.events.usedBytes(), 0)
})

t.test('responds with 429 and stores nothing when the event budget is used up', async t => {
  const { memory, post, stored } = await start(t, { eventBytes: 200_000 })
  const other = memory.events.openLease()
  other.reserve(1)
  t.match(await post(paths.ingest(), lines), { status: 429, retryAfter: '2' })
  t.equal(stored(), 0)
  t.equal(memory.events.usedBytes(), 1)
})

t.test('reserves memory for a body of unknown size as it arrives', async t => {
  const { app, memory } = await start(t, { bodyBytes: 120_000 })
  const other = memory.bodies.openLease()
  other.reserve(60_000)
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = httpRequest(app.listeningOrigin + paths.ingest(), { method: 'POST' }, resolve)
    request.on('error', reject)
    request.write(lines.slice(0, 70_000))
  })
  t.equal(response.statusCode, 429)
  response.destroy()
})

t.test(
  'reserves the declared size before the body arrives, and releases it when the client disconnects',
  async t => {
    const { app, memory, post } = await start(t, { bodyBytes: 120_000 })
    const socket = connect(Number(new URL(app.listeningOrigin).port), '127.0.0.1')
    socket.write(
      `POST ${paths.ingest()} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 90000\r\nExpect: 100-continue\r\n\r\n`,
    )
    await new Promise(resolve => socket.once('data', resolve))
    t.equal(memory.bodies.usedBytes(), 90_000)
    t.match(await post(paths.ingest(), lines), { status: 429 })
    socket.destroy()
    await until(() => memory.bodies.usedBytes() === 0)
    t.match(await post(paths.ingest(), lines), { status: 200 })
  },
)

t.test('a client that disconnects before its token is looked up reserves no memory', async t => {
  const responses = new EventEmitter()
  const response = once(responses, 'status')
  const { app, memory } = await start(t, {}, app => {
    app.addHook('onRequest', async request => {
      socket.destroy()
      await new Promise(resolve => request.raw.once('close', resolve))
    })
    app.addHook('onSend', async (_request, reply) => {
      responses.emit('status', reply.statusCode)
    })
  })
  const socket = connect(Number(new URL(app.listeningOrigin).port), '127.0.0.1')
  socket.write(`POST ${paths.ingest()} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 90000\r\n\r\n`)
  t.same(await response, [400])
  t.equal(memory.bodies.usedBytes(), 0)
})

t.test('a client that keeps its requests open does not block the requests of other clients', async t => {
  const { app, memory } = await start(t, { bodyBytes: 2 * limitBytes })
  const headers = { 'content-length': limitBytes, expect: '100-continue' }
  const send = async () => {
    const request = httpRequest(app.listeningOrigin + paths.ingest(), { method: 'POST', headers })
    request.on('error', () => {})
    request.flushHeaders()
    await once(request, 'continue')
    return request
  }
  const open = [await send(), await send()]
  t.equal(memory.bodies.usedBytes(), limitBytes)
  const other = { method: 'POST', url: paths.ingest(), payload: lines, remoteAddress: '192.0.2.1' } as const
  t.match(await app.inject(other), { statusCode: 200 })
  for (const request of open) request.destroy()
})

t.test('the estimated size of an event includes its nested values', async t => {
  const normalise = createNormalise(createClean([]), fakeContext().failures)
  const sizeOf = (record: object) => sizeInMemory(normalise(record, 'ndjson', Date.now()))
  const empty = sizeOf({})
  t.ok(empty >= 500)
  t.ok(sizeOf({ msg: 'x'.repeat(1000) }) >= empty + 1000)
  t.ok(sizeOf({ a: { b: Array.from({ length: 500 }, () => ({})) } }) >= empty + 500 * 50)
})
