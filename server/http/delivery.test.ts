/** Tests responses of the built server: sizes, encodings, headers, and the absence of internal details. */
import { readFile } from 'node:fs/promises'
import { type IncomingHttpHeaders, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import t from 'tap'
import { startServer } from '../../scripts/test/server.ts'
import { failureSentence } from '../../shared/failure-page.ts'
import { paths } from '../../shared/paths.ts'
import { screenIds, screens } from '../../shared/screens.ts'
import { hydrationScriptSource } from '../render/hydration-script.ts'
import { zoneScriptSource } from '../render/zone-script.ts'

type Asset = { name: string; rawBytes: number; brotliBytes: number }
type Manifest = {
  entry: string
  style: string
  fonts: string[]
  shared: string[]
  screens: Record<string, string[]>
  chunks: Asset[]
}

const dist = new URL('../../dist/', import.meta.url)
const manifest: Manifest = JSON.parse(await readFile(new URL('manifest.json', dist), 'utf8'))
const server = await startServer({ SIXPANE_DRILL: '1' })
const serverWithPassword = await startServer({ SIXPANE_PASSWORD: 'correct horse' })
t.teardown(async () => {
  await server.stop()
  await serverWithPassword.stop()
})

type Options = { origin?: string; method?: string; headers?: Record<string, string>; body?: string }
type Received = { status: number; headers: IncomingHttpHeaders; body: Buffer }

/** Unlike `fetch`, adds no `Accept` headers, can set `Host`, and does not decode the response. */
async function send(path: string, { origin = server.origin, method, headers, body }: Options = {}) {
  return new Promise<Received>((resolve, reject) => {
    const clientRequest = request(
      origin + path,
      { method: method ?? 'GET', headers: headers ?? {} },
      async response => {
        // An event stream does not end.
        const isStream = response.headers['content-type']?.startsWith('text/event-stream')
        if (isStream) clientRequest.destroy()
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: isStream ? Buffer.alloc(0) : await buffer(response),
        })
      },
    )
    clientRequest.on('error', reject)
    clientRequest.end(body)
  })
}

/** Each script costs a request, and many small scripts delay hydration (docs/decisions/0032-common-chunk.md). */
const maxScripts = 10

const asPage = { accept: 'text/html,*/*;q=0.8' }

t.test('the first load of each screen stays within its size budget', async t => {
  const brotliOf = (name: string) => {
    const chunk = manifest.chunks.find(each => each.name === name)
    if (chunk === undefined) throw new Error(`${name} is not in the manifest`)
    return chunk.brotliBytes
  }
  const chunksOf = (view: string) => {
    const chunks = manifest.screens[view]
    if (chunks === undefined) throw new Error(`${view} is not in the manifest`)
    return chunks
  }
  for (const view of Object.keys(manifest.screens).filter(each => each.includes('/'))) {
    const [screen = ''] = view.split('/')
    const scripts = new Set([manifest.entry, ...manifest.shared, ...chunksOf(screen), ...chunksOf(view)])
    const bytes = [...scripts].reduce((sum, name) => sum + brotliOf(name), 0)
    // Opening an event loads the code for stacks and traces in addition to the code for the log.
    t.ok(bytes <= 115.4 * 1024, `${view}: ${(bytes / 1024).toFixed(1)} KiB of JavaScript`)
    t.ok(scripts.size <= maxScripts, `${view}: ${scripts.size} scripts`)
  }
  for (const id of screenIds) {
    const view = id === 'ui' ? 'ui/basic-group' : id
    const scripts = new Set([manifest.entry, ...manifest.shared, ...chunksOf(id), ...chunksOf(view)])
    const bytes = [...scripts].reduce((sum, name) => sum + brotliOf(name), 0)
    t.ok(bytes <= 108.7 * 1024, `${id}: ${(bytes / 1024).toFixed(1)} KiB of JavaScript`)
    t.ok(scripts.size <= maxScripts, `${id}: ${scripts.size} scripts`)
    const { body } = await send(screens[id].path)
    const linked = [...String(body).matchAll(/"\/assets\/([^"]+\.js)"/g)].map(match => match[1])
    t.same(new Set(linked), scripts, `${id} loads exactly the expected scripts`)
  }
  t.ok(brotliOf(manifest.style) <= 20 * 1024, `${(brotliOf(manifest.style) / 1024).toFixed(1)} KiB of CSS`)
})

t.test('the fonts are small, and pages preload them', async t => {
  const { body } = await send(screens.home.path)
  const fonts = manifest.chunks.filter(({ name }) => manifest.fonts.includes(name))
  t.equal(fonts.length, 2)
  const bytes = fonts.reduce((sum, { rawBytes }) => sum + rawBytes, 0)
  t.ok(bytes <= 40 * 1024, `${(bytes / 1024).toFixed(1)} KiB of fonts`)
  for (const { name } of fonts) {
    const { headers } = await send(paths.asset(name))
    t.equal(headers['content-type'], 'font/woff2')
    t.match(String(body), `rel="preload" as="font" type="font/woff2" crossorigin href="${paths.asset(name)}"`)
  }
})

t.test('assets are immutable, and compressed with an encoding that the browser accepts', async t => {
  for (const { name, rawBytes } of manifest.chunks) {
    const raw = await readFile(new URL(`assets/${name}`, dist))
    t.equal(raw.length, rawBytes, name)
    // Fonts are already compressed.
    const isFont = manifest.fonts.includes(name)
    for (const [accepted, encoding, decode] of [
      ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
      ['identity', undefined, (body: Buffer) => body],
    ] as const) {
      const { status, headers, body } = await send(paths.asset(name), {
        headers: { 'accept-encoding': accepted },
      })
      t.equal(status, 200, name)
      t.equal(headers['content-encoding'], isFont ? undefined : encoding, `${name} for ${accepted}`)
      t.ok((isFont ? body : decode(body)).equals(raw), name)
      t.match(headers['cache-control'], /immutable/)
      t.match(headers['cache-control'], /max-age=31536000/)
      t.match(String(headers.vary), /accept-encoding/i)
    }
  }
})

t.test('source maps and their names are not served', async t => {
  for (const { name } of manifest.chunks.filter(({ name }) => !manifest.fonts.includes(name))) {
    t.ok((await readFile(new URL(`maps/${name}.map`, dist))).length > 0, 'the build has a source map')
    for (const path of [`/assets/${name}.map`, `/maps/${name}.map`, `/assets/../maps/${name}.map`]) {
      t.equal((await send(path)).status, 404, path)
    }
    t.ok([400, 403, 404].includes((await send(`/assets/..%2fmaps%2f${name}.map`)).status))
    const { body } = await send(paths.asset(name))
    t.notMatch(String(body), /sourceMappingURL/)
  }
})

t.test('pages are compressed', async t => {
  const plain = await send(screens.ui.path, { headers: { ...asPage } })
  t.equal(plain.headers['content-encoding'], undefined)
  for (const [encoding, decode] of [
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const) {
    const { headers, body } = await send(screens.ui.path, {
      headers: { ...asPage, 'accept-encoding': encoding },
    })
    t.equal(headers['content-encoding'], encoding)
    t.match(String(headers.vary), /accept-encoding/i)
    t.match(String(decode(body)), '</html>')
    t.ok(body.length < plain.body.length / 2)
  }
})

t.test('every kind of response has a Content-Security-Policy and the other security headers', async t => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const cases: [status: number, path: string, options?: Options][] = [
    ...screenIds.map((id): [number, string] => [200, screens[id].path]),
    [200, '/ui', { method: 'HEAD' }],
    [308, '/ui/', { headers: asPage }],
    [303, '/settings', { method: 'POST', headers: form, body: preferences() }],
    [422, '/settings', { method: 'POST', headers: form, body: preferences({ timeZone: 'Mars/Base' }) }],
    [500, '/ui?drill=content', { headers: asPage }],
    [500, '/ui?drill=render', { headers: asPage }],
    [200, '/ui?drill=late', { headers: asPage }],
    [404, '/nowhere', { headers: asPage }],
    [404, '/nowhere'],
    [404, paths.asset('nothing.js')],
    [405, '/ui', { method: 'DELETE' }],
    [401, '/', { origin: serverWithPassword.origin }],
    [401, paths.ingest(), { origin: serverWithPassword.origin, method: 'POST', body: '{}' }],
    [403, '/settings', { method: 'POST', headers: { ...form, origin: 'https://evil.example' } }],
    [421, '/', { headers: { host: 'rebound.example' } }],
    [200, paths.asset(manifest.entry)],
    [200, paths.asset(manifest.style), { headers: { 'accept-encoding': 'br' } }],
    [200, paths.ingest(), { method: 'POST', headers: ndjson, body: '{"msg":"a"}' }],
    [400, paths.ingest(), { method: 'POST', headers: ndjson, body: 'not JSON' }],
    [415, paths.ingest(), { method: 'POST', headers: { 'content-encoding': 'compress' }, body: 'a' }],
    [400, paths.report(), { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{' }],
    [200, paths.live()],
    [200, paths.find()],
    [401, paths.find(), { origin: serverWithPassword.origin }],
    [400, paths.live({ q: '(' })],
    [200, paths.livez()],
    [200, paths.readyz()],
  ]
  for (const [status, path, options] of cases) {
    const { headers, ...response } = await send(path, options)
    const name = `${options?.method ?? 'GET'} ${path}`
    t.equal(response.status, status, name)
    const policy = String(headers['content-security-policy'])
    t.match(policy, "default-src 'none'", name)
    t.match(policy, `script-src 'self' ${zoneScriptSource} ${hydrationScriptSource};`, name)
    t.match(policy, "frame-ancestors 'none'", name)
    t.notMatch(policy, 'unsafe-', name)
    t.match(
      headers,
      { 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY', 'referrer-policy': 'same-origin' },
      name,
    )
    t.match(headers['x-request-id'], /^[0-9a-f]{16}$/, name)
    t.notOk('x-powered-by' in headers, name)
  }
})

t.test('CSRF: a form on another site changes nothing', async t => {
  const post = (headers: Record<string, string>) =>
    send('/settings', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: preferences(),
    })
  for (const headers of [
    { origin: 'https://evil.example' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', origin: server.origin },
  ]) {
    const response = await post(headers)
    t.equal(response.status, 403)
    t.equal(response.headers['set-cookie'], undefined)
  }
  t.match((await post({ origin: server.origin })).headers['set-cookie'], /^sixpane_preferences=/)
})

t.test('drill failure pages do not reveal the cause', async t => {
  const { host } = new URL(server.origin)
  // The other screens show log events, including the drill's failure.
  const withoutLog = ['dashboard', 'settings', 'ui'] as const
  for (const [drill, status, ids] of [
    ['content', 500, screenIds],
    ['render', 500, screenIds],
    ['late', 200, withoutLog],
    ['client', 200, withoutLog],
  ] as const) {
    for (const id of ids) {
      const { headers, ...response } = await send(`${screens[id].path}?drill=${drill}`, { headers: asPage })
      const shown = `${JSON.stringify(headers)}${response.body}`
      t.equal(response.status, status, `${id} ${drill}`)
      if (drill !== 'client') t.match(shown, failureSentence('server', host))
      t.notOk(
        /fails on purpose|throwIn(Content|Render)|rejectLate|drill\.ts|server\/(main|render)|file:/.test(
          shown,
        ),
        `${id} ${drill}`,
      )
    }
  }
})

const ndjson = { 'content-type': 'application/x-ndjson' }

function preferences(changed: Record<string, string> = {}): string {
  const form = {
    theme: 'dark',
    density: 'compact',
    timeZone: 'Asia/Tokyo',
    clock: '12h',
    range: '6h',
    motion: 'reduced',
  }
  return new URLSearchParams({ ...form, ...changed }).toString()
}
