import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { sentryPaths } from '../../../shared/paths.ts'
import { until } from '../../../shared/testing/until.ts'
import errors from '../../render/error-handler.ts'
import { readConfig } from '../../settings/config.ts'
import { openServiceMaps } from '../../source-maps/service-maps.ts'
import { openDuckDbStore } from '../../store/duckdb/store.ts'
import { fakeContext } from '../../testing/fake-context.ts'
import { stubPlugins } from '../../testing/stub-plugins.ts'
import sentryUploads from './sentry-uploads.ts'
import { bundleOf, formOf, sha1Of, simpleBundle, testMap } from './testing.ts'
import { uploadLimits } from './upload-limits.ts'

const debugId = '6f80212a-b3a5-59b6-ba13-06bdfd7a1ce4'
const organization = 'any'

async function setUp(t: Test) {
  const folder = t.testdir()
  const store = await openDuckDbStore({ folder: join(folder, 'store') })
  const maps = await openServiceMaps({ store: store.sourceMaps, limitBytes: 1e6, logger: console })
  let failsNext = false
  let woken = 0
  const app = Fastify()
  stubPlugins(app)
  const context = fakeContext({
    config: { ...readConfig({}), dataFolder: folder },
    sourceMaps: {
      ...maps,
      async add(map) {
        const fails = failsNext
        failsNext = false
        if (fails) throw new Error('disk full')
        return maps.add(map)
      },
    },
    regrouping: {
      wake: async () => {
        woken += 1
      },
    },
  })
  app.register(errors, { context })
  app.register(sentryUploads, { context })
  t.teardown(async () => {
    await app.close()
    await store.close()
  })
  const uploads = join(folder, 'sentry-uploads')

  const putChunk = async (chunk: Buffer<ArrayBuffer>) => {
    const { body, contentType } = await formOf([
      { field: 'file_gzip', name: sha1Of(chunk), content: gzipSync(chunk) },
    ])
    const response = await app.inject({
      method: 'POST',
      url: sentryPaths.chunkUpload(organization),
      payload: body,
      headers: { 'content-type': contentType },
    })
    return { status: response.statusCode, body: response.body }
  }
  const assemble = async (payload: unknown) => {
    const url = sentryPaths.assemble(organization)
    const response = await app.inject({ method: 'POST', url, payload: JSON.stringify(payload) })
    return { status: response.statusCode, body: response.json() }
  }
  /** Uploads a bundle in two chunks. */
  const upload = async (bundle: Buffer, version?: string | null) => {
    const middle = Math.floor(bundle.length / 2)
    const chunks = [bundle.subarray(0, middle), bundle.subarray(middle)].map(each => Buffer.from(each))
    const request = { checksum: sha1Of(bundle), chunks: chunks.map(sha1Of), projects: ['any'], version }
    const first = await assemble(request)
    if (first.body.missingChunks.length === 0) return first
    for (const chunk of chunks) await putChunk(chunk)
    // If the assembly takes longer than two seconds, the client has to repeat the request.
    return until(
      () => assemble(request),
      ({ body }) => !['created', 'assembling'].includes(body.state),
    )
  }
  return {
    app,
    store,
    uploads,
    putChunk,
    assemble,
    upload,
    files: () => (existsSync(uploads) ? readdirSync(uploads) : []),
    woken: () => woken,
    failNext() {
      failsNext = true
    },
  }
}

t.test('the options contain the limits, and a URL that the client accepts', async t => {
  const { app } = await setUp(t)
  const url = sentryPaths.chunkUpload(organization)
  const get = async (userAgent: string) => {
    const headers = { 'user-agent': userAgent, host: 'sixpane.example:3000' }
    return (await app.inject({ url, headers })).json()
  }
  const absolute = `http://sixpane.example:3000${url}`
  t.match(await get('sentry-cli/0.45.0 (linux-x64) node/24.1.0'), {
    url: absolute,
    chunkSize: uploadLimits.chunkBytes,
    hashAlgorithm: 'sha1',
    compression: ['gzip'],
  })
  const { url: relative } = await get('sentry-cli/3.8.0')
  t.equal(new URL(relative, `http://sixpane.example:3000${sentryPaths.api()}`).href, absolute)
})

t.test('stores the maps of a bundle once, and deletes its chunks', async t => {
  const { upload, store, files, woken } = await setUp(t)
  const bundle = simpleBundle({ debugId })
  const ok = { status: 200, body: { state: 'ok', missingChunks: [], detail: null } }
  t.same(await upload(bundle, 'shop@1.2.3'), ok)
  t.match(await store.sourceMaps.list(), [{ release: '1.2.3', path: 'main.js', debugId, service: null }])
  t.same(files(), [])
  t.same(await upload(bundle, 'shop@1.2.3'), ok)
  t.equal((await store.sourceMaps.list()).length, 1)
  t.equal(woken(), 1)
  t.same(await upload(bundle, 'shop@1.2.4'), ok)
  t.equal((await store.sourceMaps.list()).length, 2)
})

t.test('uploads that share chunks do not delete each other’s chunks', async t => {
  const { assemble, putChunk, store, files } = await setUp(t)
  const bundle = simpleBundle()
  const chunks = [Buffer.from(bundle.subarray(0, 100)), Buffer.from(bundle.subarray(100))]
  const request = (version: string) => ({ checksum: sha1Of(bundle), chunks: chunks.map(sha1Of), version })
  const [first, second, third] = ['shop@1', 'shop@2', 'shop@3'].map(request)
  t.match(await assemble(first), { body: { state: 'not_found' } })
  t.match(await assemble(second), { body: { state: 'not_found' } })
  for (const chunk of chunks) await putChunk(chunk)
  t.match(await Promise.all([assemble(first), assemble(third)]), [
    { body: { state: 'ok' } },
    { body: { state: 'ok' } },
  ])
  t.match(await assemble(second), { body: { state: 'ok' } })
  t.equal((await store.sourceMaps.list()).length, 3)
  t.same(files(), [])
})

t.test('takes the release from the upload or the bundle, or uses the debug id instead', async t => {
  const { upload, store } = await setUp(t)
  const releases = async () => (await store.sourceMaps.list()).map(({ release }) => release)
  t.match(await upload(simpleBundle()), { body: { state: 'ok' } })
  t.same(await releases(), ['1.2.3'])
  t.match(await upload(simpleBundle({ release: null, debugId }), null), { body: { state: 'ok' } })
  t.match(await upload(simpleBundle({ release: 'undefined', debugId }), 'undefined'), {
    body: { state: 'ok' },
  })
  t.same(await releases(), ['1.2.3', debugId])
  t.match(await upload(simpleBundle({ release: null })), {
    body: { state: 'error', detail: /main\.js: It has neither a release nor a debug id/ },
  })
})

t.test('explains why a bundle cannot be used', async t => {
  const { upload, store, files } = await setUp(t)
  const noZip = Buffer.from('no ZIP')
  const noMap = simpleBundle({ map: '{}' })
  t.match(await upload(noZip), { status: 200, body: { state: 'error', detail: /not a valid ZIP/ } })
  t.match(await upload(noZip), { status: 200, body: { state: 'error', detail: /not a valid ZIP/ } })
  t.match(await upload(noMap), { body: { state: 'error', detail: /main\.js: Its `version` is not 3/ } })
  t.same(await store.sourceMaps.list(), [])
  t.same(files(), [])
})

t.test('a bundle that could not be stored can be uploaded again immediately', async t => {
  const { upload, failNext, store, files } = await setUp(t)
  const bundle = simpleBundle()
  failNext()
  t.match(await upload(bundle), { body: { state: 'error', detail: /Upload it again/ } })
  t.match(await upload(bundle), { body: { state: 'ok', detail: null } })
  t.match(await store.sourceMaps.list(), [{ path: 'main.js' }])
  t.same(files(), [])
})

t.test('skips maps that cannot be used', async t => {
  const { upload, store } = await setUp(t)
  const names = ['a', 'b', 'x'.repeat(600)]
  const bundle = bundleOf(
    {
      release: '1',
      files: Object.fromEntries(names.map(name => [name, { type: 'source_map', url: `~/${name}.js.map` }])),
    },
    names.map(name => ({ name, content: name === 'b' ? '' : testMap })),
  )
  const { body } = await upload(bundle)
  t.match(body, { state: 'ok', detail: /b\.js: It is not valid JSON.*500 characters/ })
  t.match(await store.sourceMaps.list(), [{ path: 'a.js' }])
  t.match(await upload(bundleOf({ files: {} }, [])), { body: { state: 'ok', detail: null } })
})

t.test('rejects invalid requests, and explains why in `detail`', async t => {
  const { assemble, app, putChunk } = await setUp(t)
  const sha1 = '0'.repeat(40)
  const cases = [
    null,
    {},
    { checksum: sha1 },
    { checksum: sha1, chunks: [] },
    { checksum: sha1, chunks: ['../../etc/passwd'] },
    { checksum: '../x', chunks: [sha1] },
    { checksum: sha1, chunks: Array.from({ length: 1025 }, () => sha1) },
    { checksum: sha1, chunks: [sha1], version: 'x'.repeat(501) },
  ]
  for (const payload of cases)
    t.match(await assemble(payload), { status: 400, body: { detail: /`checksum`/ } })
  const url = sentryPaths.assemble(organization)
  const broken = await app.inject({ method: 'POST', url, payload: '{' })
  t.match(broken.json(), { statusCode: undefined, detail: 'The body is not valid JSON' })
  const tooLarge = Buffer.alloc(uploadLimits.chunkBytes + 1)
  t.match(await putChunk(tooLarge), { status: 413, body: /"detail":"A chunk is larger/ })
  const form = await app.inject({ method: 'POST', url: sentryPaths.chunkUpload(organization), payload: 'x' })
  t.match(form.json(), { detail: /`multipart\/form-data`/ })
})

t.test('a checksum that does not match its chunks is an error', async t => {
  const { assemble, putChunk, files } = await setUp(t)
  const chunk = Buffer.from('chunk')
  const request = { checksum: '0'.repeat(40), chunks: [sha1Of(chunk)] }
  t.match(await assemble(request), { body: { state: 'not_found', missingChunks: [sha1Of(chunk)] } })
  t.same(await putChunk(chunk), { status: 200, body: '' })
  t.match(await assemble(request), { body: { state: 'error', detail: /`checksum`/ } })
  t.same(files(), [])
})

t.test('deletes the files of an earlier process when the server starts listening', async t => {
  const { app, uploads, files, putChunk } = await setUp(t)
  mkdirSync(uploads)
  writeFileSync(join(uploads, 'left'), '')
  await app.listen({ host: '127.0.0.1', port: 0 })
  const chunk = Buffer.from('chunk')
  await putChunk(chunk)
  t.same(files(), [sha1Of(chunk)])
})

t.test('property: arbitrary bytes are stored or rejected with a reason, and leave no files', async t => {
  const { upload, files } = await setUp(t)
  const bundle = simpleBundle()
  const changed = fc
    .tuple(fc.nat({ max: bundle.length - 1 }), fc.integer({ min: 1, max: 255 }), fc.nat({ max: 30 }))
    .map(([at, change, cut]) => {
      const copy = Buffer.from(bundle)
      copy[at] = ((copy[at] ?? 0) + change) % 256
      return copy.subarray(cut)
    })
  const any = fc.uint8Array({ minLength: 2, maxLength: 100 }).map(bytes => Buffer.from(bytes))
  await fc.assert(
    fc.asyncProperty(fc.oneof(any, changed), async bytes => {
      const { status, body } = await upload(bytes)
      return status === 200 && (body.state === 'ok' || (body.state === 'error' && body.detail !== ''))
    }),
    { numRuns: 150 },
  )
  t.same(files(), [])
})
