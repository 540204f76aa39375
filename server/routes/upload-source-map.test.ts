import { once } from 'node:events'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { paths } from '../../shared/paths.ts'
import { until } from '../../shared/testing/until.ts'
import { createRequestMemory } from '../http/request-memory.ts'
import { openServiceMaps } from '../source-maps/service-maps.ts'
import { openDuckDbStore } from '../store/duckdb/store.ts'
import { fakeContext } from '../testing/fake-context.ts'
import { stubPlugins } from '../testing/stub-plugins.ts'
import sourceMaps from './upload-source-map.ts'

const map = JSON.stringify({
  version: 3,
  sources: ['a.ts'],
  sourcesContent: ['a'],
  names: [],
  mappings: 'AAAA',
})

async function setUp(t: Test, memory = createRequestMemory()) {
  const store = await openDuckDbStore({ folder: t.testdir() })
  const maps = await openServiceMaps({ store: store.sourceMaps, limitBytes: 1e6, logger: console })
  let woken = 0
  const app = Fastify()
  stubPlugins(app)
  const regrouping = {
    wake: async () => {
      woken += 1
    },
  }
  app.register(sourceMaps, { context: fakeContext({ sourceMaps: maps, regrouping, memory }) })
  t.teardown(async () => {
    await app.close()
    await store.close()
  })
  const put = async (
    query: Record<string, string>,
    payload: string | Buffer = map,
    headers: Record<string, string> = {},
  ) => {
    const url = `${paths.sourceMaps()}?${new URLSearchParams(query)}`
    const { statusCode, body } = await app.inject({ method: 'PUT', url, payload, headers })
    return { status: statusCode, body: JSON.parse(body) }
  }
  return { app, store, put, woken: () => woken }
}

const target = { release: '1.4.2', path: 'static/js/main.js' }

t.test('stores a map once, compressed or not, with any Content-Type', async t => {
  const { put, store, woken } = await setUp(t)
  const first = await put(target)
  t.match(first, { status: 201, body: { ...target, debugId: null, id: String } })
  const zipped = { 'content-encoding': 'gzip', 'content-type': 'application/json' }
  t.match(await put(target, gzipSync(map), zipped), { status: 200, body: first.body })
  const releases = ['text/plain', 'json', ''].entries()
  for (const [index, type] of releases)
    t.match(await put({ ...target, release: `2.${index}` }, map, { 'content-type': type }), { status: 201 })
  t.equal((await store.sourceMaps.list()).length, 4)
  t.equal(woken(), 4)
})

t.test('the query sets the service; if it names none, any service may use the map', async t => {
  const { put, store } = await setUp(t)
  t.match(await put(target), { status: 201, body: { service: null } })
  t.match(await put({ ...target, service: ' shop ' }), { status: 201, body: { service: 'shop' } })
  t.match(await put({ ...target, service: 'shop' }), { status: 200, body: { service: 'shop' } })
  t.match(await put({ ...target, service: 'stock' }), { status: 201, body: { service: 'stock' } })
  const services = (await store.sourceMaps.list()).map(({ service }) => service)
  t.same(new Set(services), new Set([null, 'shop', 'stock']))
  t.equal(services.length, 3)
})

t.test('a debug id in the query takes precedence over one in the map', async t => {
  const { put } = await setUp(t)
  const withId = JSON.stringify({ ...JSON.parse(map), debugId: '0B6A6D3F-47B5-4D17-A9F6-4ED2D2C8D5C4' })
  t.match(await put(target, withId), {
    status: 201,
    body: { debugId: '0b6a6d3f-47b5-4d17-a9f6-4ed2d2c8d5c4' },
  })
  t.match(await put({ ...target, debug_id: 'build-7' }, withId), {
    status: 201,
    body: { debugId: 'build-7' },
  })
})

t.test('rejects invalid uploads and reports the reason', async t => {
  const { put, store } = await setUp(t)
  const cases: [Record<string, string>, string | Buffer, Record<string, string>, number, RegExp][] = [
    [{ path: 'a.js' }, map, {}, 400, /needs `release` and `path`/],
    [{ release: '1' }, map, {}, 400, /needs `release` and `path`/],
    [{ ...target, release: 'x'.repeat(501) }, map, {}, 400, /500 characters/],
    [{ ...target, service: 'x'.repeat(501) }, map, {}, 400, /500 characters/],
    [{ ...target, service: '' }, map, {}, 400, /`service`/],
    [{ ...target, service: ' ' }, map, {}, 400, /`service`/],
    [{ ...target, release: ' ' }, map, {}, 400, /`release`/],
    [{ ...target, debug_id: 'a b' }, map, {}, 400, /`debug_id`/],
    [target, '', {}, 400, /not valid JSON/],
    [target, '{"version":2}', {}, 400, /This source map can't be used\. Its `version` is not 3/],
    [target, gzipSync(map).subarray(0, 30), { 'content-encoding': 'gzip' }, 400, /incomplete/],
    [target, map, { 'content-encoding': 'compress' }, 415, /gzip/],
    [target, gzipSync(Buffer.alloc(65e6)), { 'content-encoding': 'gzip' }, 413, /64 MB.*: split/],
  ]
  for (const [query, payload, headers, status, message] of cases)
    t.match(await put(query, payload, headers), { status, body: { message } })
  t.same(await store.sourceMaps.list(), [])
})

t.test('property: arbitrary bodies, releases and paths are rejected with a reason', async t => {
  const { put } = await setUp(t)
  const text = fc.string({ unit: 'grapheme', maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(text, text, fc.uint8Array({ maxLength: 60 }), async (release, path, bytes) => {
      const { status, body } = await put({ release, path }, Buffer.from(bytes))
      return status === 400 && body.message !== ''
    }),
    { numRuns: 100 },
  )
})

t.test('clients that disconnect during an upload do not block the queue', async t => {
  const { app } = await setUp(t)
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = new URL(address)
  const path = `${paths.sourceMaps()}?${new URLSearchParams(target)}`
  const half = `PUT ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n{"version"`
  const sockets = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const socket = connect(Number(port), '127.0.0.1')
      await once(socket, 'connect')
      socket.write(half)
      return socket
    }),
  )
  // Once the server responds to a later request, it has received all the uploads.
  await fetch(address)
  for (const socket of sockets) socket.destroy()
  const response = await fetch(address + path, { method: 'PUT', body: map })
  t.equal(response.status, 201)
})

t.test('an upload whose body stalls neither uses the memory for events nor blocks other clients', async t => {
  const memory = createRequestMemory({ uploadBytes: 1000 })
  const { app } = await setUp(t, memory)
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const url = `${paths.sourceMaps()}?${new URLSearchParams(target)}`
  const socket = connect(Number(new URL(address).port), '127.0.0.1')
  socket.write(`PUT ${url} HTTP/1.1\r\nhost: x\r\ncontent-length: 450\r\n\r\n`)
  await until(() => memory.uploads.usedBytes() === 450)
  t.equal(memory.bodies.usedBytes(), 0)
  const statusOf = async (remoteAddress: string) =>
    (await app.inject({ method: 'PUT', url, payload: map, remoteAddress })).statusCode
  t.equal(await statusOf('127.0.0.1'), 429, 'the requests of one client share half of the budget')
  t.equal(await statusOf('192.0.2.1'), 201)
  socket.destroy()
  await until(() => memory.uploads.usedBytes() === 0)
})
