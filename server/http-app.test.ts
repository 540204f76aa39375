import { mkdir, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { failureSentence } from '../shared/failure-page.ts'
import { paths, sentryPaths } from '../shared/paths.ts'
import { screenIds, screens } from '../shared/screens.ts'
import type { Context } from './context.ts'
import { createClean } from './events/clean.ts'
import { createFailures } from './failures/failures.ts'
import { HttpError } from './http/http-error.ts'
import { createHttpApp } from './http-app.ts'
import { createLogger } from './logger.ts'
import { hydrationScript, hydrationScriptSource } from './render/hydration-script.ts'
import { zoneScript, zoneScriptSource } from './render/zone-script.ts'
import { readConfig } from './settings/config.ts'
import { QueryLimitError, StoreUnavailableError } from './store/store.ts'
import { fakeContext } from './testing/fake-context.ts'

const canary = 'CANARY-7f3a'
const asPage = { accept: 'text/html,*/*;q=0.8', host: 'localhost:3000' }

type Line = Record<string, unknown>

async function start(t: Test, overrides: Parameters<typeof fakeContext>[0] = {}) {
  const lines: Line[] = []
  const { logger } = createLogger({
    level: 'info',
    release: '0.1.0',
    clean: createClean([]),
    onLine: () => {},
    output: { write: (text: string) => void lines.push(JSON.parse(text)) },
  })
  const assetsFolder = join(t.testdir({}), 'assets')
  await mkdir(assetsFolder)
  await writeFile(join(assetsFolder, 'entry.js'), 'export {}')
  const bare = fakeContext()
  const build = { ...bare.build, assetsFolder }
  const context: Context = fakeContext({ logger, build, failures: createFailures({ build }), ...overrides })
  const app = await createHttpApp(context)
  t.teardown(() => app.close())
  return { app, lines, errors: () => lines.filter(line => Number(line.level) >= 50) }
}

t.test('accepts long names in paths', async t => {
  const { app } = await start(t)
  const url = sentryPaths.release('organizations/any', encodeURIComponent('ä'.repeat(500)))
  const { statusCode } = await app.inject({ method: 'PUT', url, headers: { host: 'localhost:3000' } })
  t.equal(statusCode, 200)
})

t.test('renders every screen with its content and the security headers', async t => {
  const { app } = await start(t)
  for (const id of screenIds) {
    const response = await app.inject({ url: screens[id].path, headers: asPage })
    t.equal(response.statusCode, 200, id)
    t.equal(response.headers['content-type'], 'text/html; charset=utf-8')
    t.match(response.body, /<main[^>]*id="main"/)
    t.match(response.body, '<script type="application/json" id="page">')
    t.match(
      String(response.headers['content-security-policy']),
      `script-src 'self' ${zoneScriptSource} ${hydrationScriptSource};`,
    )
    t.notMatch(String(response.headers['content-security-policy']), 'unsafe-inline')
    t.notMatch(response.body, / style="/, 'no inline style')
    t.notMatch(
      response.body
        .replaceAll(/<script type="application\/json"[\s\S]*?<\/script>/g, '')
        .replace(`<script>${zoneScript}</script>`, '')
        .replace(`<script>${hydrationScript}</script>`, ''),
      /<script(?![^>]* src=)/,
    )
  }
})

t.test('redirects each unnormalised URL to its canonical form', async t => {
  const { app } = await start(t)
  const location = async (url: string) => {
    const response = await app.inject({ url, headers: asPage })
    return [response.statusCode, response.headers.location]
  }
  t.same(await location('/activities/'), [308, '/activities'])
  t.same(await location('/activities//?q=a%20b'), [308, '/activities?q=a%20b'])
  t.same(await location('//'), [308, '/'])
  t.same(await location('/%61ctivities?q=1'), [308, '/activities?q=1'])
  t.equal((await location('/Activities'))[0], 404)
  t.equal((await location('//activities'))[0], 404)
})

t.test('an unchanged page gets 304 Not Modified', async t => {
  const { app } = await start(t)
  const first = await app.inject({ url: '/ui', headers: asPage })
  const second = await app.inject({
    url: '/ui',
    headers: { ...asPage, 'if-none-match': String(first.headers.etag) },
  })
  t.equal(second.statusCode, 304)
  t.equal(second.body, '')
})

t.test('HEAD does not read the store; unsupported methods get 405 with Allow', async t => {
  const { app } = await start(t, {
    store: { events: () => Promise.reject(new Error('HEAD read the store')) },
  })
  for (const id of screenIds) {
    const head = await app.inject({ method: 'HEAD', url: screens[id].path, headers: asPage })
    t.equal(head.statusCode, 200)
    t.equal(head.body, '')
    t.match(head.headers, { 'content-type': 'text/html; charset=utf-8', vary: 'accept-encoding' })
    t.notOk('content-length' in head.headers, 'the length is unknown, because the page is not rendered')
  }
  const moved = await app.inject({ method: 'HEAD', url: '/activities/', headers: asPage })
  t.match([moved.statusCode, moved.headers.location], [308, '/activities'])
  const [missing, missingHead] = await Promise.all(
    (['GET', 'HEAD'] as const).map(method => app.inject({ method, url: '/nowhere', headers: asPage })),
  )
  t.equal(missingHead?.statusCode, 404)
  t.equal(missingHead?.headers['content-length'], missing?.headers['content-length'])
  for (const [method, url, allow] of [
    ['DELETE', '/activities', 'GET, HEAD, POST'],
    ['PUT', '/settings', 'GET, HEAD, POST'],
    ['POST', '/ui', 'GET, HEAD'],
    ['GET', '/ingest', 'POST'],
    ['GET', '/api/sourcemaps', 'PUT'],
  ] as const) {
    const response = await app.inject({ method, url, headers: asPage })
    t.equal(response.statusCode, 405, `${method} ${url}`)
    t.equal(response.headers.allow, allow)
  }
})

t.test('an unknown path gets a 404 page with links to all screens', async t => {
  const { app, errors } = await start(t)
  const response = await app.inject({ url: '/nowhere?<script>alert(1)</script>', headers: asPage })
  t.equal(response.statusCode, 404)
  for (const id of screenIds) t.match(response.body, `href="${screens[id].path}"`)
  t.notMatch(response.body, '<script>alert')
  t.match((await app.inject('/nowhere')).json(), { error: 'Not Found' })
  t.same(errors(), [])
})

t.test('a path with encoded control characters gets the 404 page, and no error is logged', async t => {
  const { app, errors } = await start(t)
  for (const url of [
    '/%0A',
    '/%0Anowhere',
    '/%0D%0Anowhere',
    '/activities%0A',
    '/%E2%80%A8',
    '/%00',
    '/%7F',
  ]) {
    const response = await app.inject({ url, headers: asPage })
    t.equal(response.statusCode, 404, url)
    t.match(response.body, '<h1>Page not found</h1>', url)
  }
  t.same(errors(), [])
})

t.test('a path that looks like a route pattern gets 404, and no error is logged', async t => {
  const { app, errors } = await start(t)
  for (const path of ['/*', '/*x', '/assets/*', '/assets/*x', '/:a(', '/live:(', '/api/:x([)'])
    for (const method of ['GET', 'POST'] as const) {
      const { statusCode } = await app.inject({ method, url: path, headers: asPage })
      t.equal(statusCode, 404, `${method} ${path}`)
    }
  t.same(errors(), [])
})

t.test('a path that cannot be decoded gets 400: a page for browsers, otherwise JSON', async t => {
  const { app, lines, errors } = await start(t)
  const headers = { host: 'localhost:3000' }
  for (const url of [
    '/%',
    '/%ff',
    '/%E0%A4%A',
    '/assets/%ff',
    '/activities%2?q=a',
    `/${'%ff'.repeat(2000)}`,
  ]) {
    const page = await app.inject({ url, headers: asPage })
    t.equal(page.statusCode, 400, url)
    t.match(page.headers, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': /default-src 'none'/,
    })
    t.match(page.body, '<h1>This address is not valid</h1>')
    t.notMatch(page.body, /Digest|%/)
    t.equal(lines.at(-1)?.path, url.split('?', 1)[0]?.slice(0, 500), 'the log contains the requested path')

    const head = await app.inject({ url, method: 'HEAD', headers: asPage })
    t.match(head, { statusCode: 400, body: '' })
    t.equal(head.headers['content-length'], page.headers['content-length'])
    for (const method of ['GET', 'POST', 'OPTIONS'] as const) {
      const response = await app.inject({ url, method, headers })
      t.equal(response.statusCode, 400, `${method} ${url}`)
      t.same(response.json(), { error: 'Bad Request', message: 'The path of the URL cannot be decoded' })
    }
  }
  t.equal(
    (await app.inject({ url: '/activities?q=%ff', headers: asPage })).statusCode,
    200,
    'a malformed query string is allowed',
  )
  const evil = await app.inject({ url: '/%ff', headers: { host: 'evil.example' } })
  t.equal(evil.statusCode, 421, 'the Host check runs first')
  const closed = await start(t, { config: readConfig({ SIXPANE_PASSWORD: 'long enough' }) })
  t.equal((await closed.app.inject({ url: '/%ff', headers })).statusCode, 401)
  t.same(errors(), [])
})

t.test('unusual and very long request targets get a 4xx response and a short log line', async t => {
  const { app, lines } = await start(t)
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  for (const [target, status] of [
    ['/%ff', 400],
    ['http://localhost/%ff', 400],
    ['http:///', 421],
    ['http://localhost#/', 400],
    [`/${'a'.repeat(10_000)}`, 404],
    [`/${'a'.repeat(60_000)}`, 404],
    [`${'/'.repeat(60_000)}a`, 404],
    [`/${'a'.repeat(70_000)}`, 431],
  ] as const) {
    const head = `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`
    const response = await sendRaw(origin, head)
    t.equal(Number(response.split(' ')[1]), status, target.slice(0, 30))
    t.notMatch(response, 'FST_ERR', target.slice(0, 30))
  }
  t.same(
    lines.filter(line => JSON.stringify(line).length > 2000),
    [],
  )
})

t.test('accepts absolute URLs with a loopback host, as a proxy may send them', async t => {
  const { app } = await start(t)
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  for (const [target, status, location] of [
    ['http://localhost:3000/activities', 200],
    ['HTTPS://[::1]/activities?q=a%20b', 200],
    ['http://localhost/activities/?q=a%20b', 308, '/activities?q=a%20b'],
    ['http://localhost/%61ctivities?q=/', 308, '/activities?q=/'],
    ['http://localhost//', 308, '/'],
    ['http://localhost/%25', 404],
    ['http://localhost/http://localhost/activities', 404],
    ['http://evil.example/activities', 421],
    ['http://evil.example/%ff', 421],
    ['http://localhost@evil.example/activities', 421],
  ] as const) {
    const head = `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`
    const response = await sendRaw(origin, head)
    t.equal(Number(response.split(' ')[1]), status, target)
    t.equal(/^location: (.*)\r$/im.exec(response)?.[1], location, target)
  }
  const [relative, ...absolute] = await Promise.all(
    ['/?range=1h', 'http://localhost?range=1h', 'http://localhost/?range=1h'].map(async target => {
      const head = `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`
      return (await sendRaw(origin, head)).split('\r\n', 1)[0]
    }),
  )
  t.same(absolute, [relative, relative])
})

t.test('headers over the limit get a plain-text explanation', async t => {
  const { app } = await start(t)
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  const response = await sendRaw(origin, `GET /?q=${'a'.repeat(70_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  t.match(response, /^HTTP\/1\.1 431 /)
  t.match(response, 'Content-Type: text/plain')
  t.match(response, 'paste only the part with the digest')
})

t.test('a search for long text that ends with a digest opens the failure', async t => {
  const digest = '2108325524'
  const { app } = await start(t, {
    store: { failuresOfDigest: async value => (value === digest ? ['a41c09be72'] : []) },
  })
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  const q = encodeURIComponent(`${'エラーです。\n'.repeat(900)}Digest: ${digest}`)
  const response = await sendRaw(
    origin,
    `GET ${paths.activities()}?q=${q} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
  )
  t.match(response, /^HTTP\/1\.1 30[23] /)
  t.match(response, new RegExp(`location: /development\\?\\S*digest=${digest}`, 'i'))
})

t.test('the failure page shows only the digest, and one log line contains the cause', async t => {
  const secret = () => Promise.reject(new TypeError(`${canary} in the store`))
  const { app, errors } = await start(t, { store: { events: secret, seenSources: secret, services: secret } })
  const response = await app.inject({ url: '/activities', headers: asPage })
  t.equal(response.statusCode, 500)
  t.match(response.body, failureSentence('server', 'localhost:3000'))
  const digest = /<p>Digest: ([0-9a-f]{10})<\/p>/.exec(response.body)?.[1]
  t.ok(digest)
  t.notMatch(response.payload + JSON.stringify(response.headers), canary)
  const [line, ...more] = errors()
  t.same(more, [], 'exactly one line')
  t.match(line, {
    digest,
    msg: 'Failed to load a screen',
    err: { type: 'TypeError', message: `${canary} in the store`, stack: /app\.test/ },
    reqId: String(response.headers['x-request-id']),
    route: '/activities',
    release: '0.1.0',
  })

  const drills = await start(t, { config: readConfig({ SIXPANE_DRILL: '1' }) })
  const digests = []
  for (const step of ['content', 'render', 'late']) {
    const { body } = await drills.app.inject({ url: `/ui?drill=${step}`, headers: asPage })
    digests.push(/Digest: ([0-9a-f]{10})/.exec(body)?.[1])
  }
  t.same(
    drills.errors().map(line => line.digest),
    digests,
  )
})

t.test('an export that fails before its first line sends an error page or message, not a file', async t => {
  for (const [error, status] of [
    [new StoreUnavailableError('down'), 503],
    [new QueryLimitError('Too many events'), 422],
    [new HttpError(429, 'Too busy'), 429],
    [new Error(canary), 500],
  ] as const) {
    const { app } = await start(t, { store: { wholeEvents: () => Promise.reject(error) } })
    for (const headers of [asPage, { ...asPage, accept: 'application/json' }]) {
      const response = await app.inject({ url: `${paths.export()}?format=ndjson`, headers })
      t.equal(response.statusCode, status)
      t.notOk('content-disposition' in response.headers, `${status} ${headers.accept}`)
      t.match(response.headers['content-type'], headers === asPage ? /^text\/html/ : /^application\/json/)
    }
  }
})

t.test('the log lines of a request contain the trace id of its caller', async t => {
  const { app, lines } = await start(t)
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const linesOf = async (traceparent: string) => {
    const from = lines.length
    await app.inject({ url: '/nowhere', headers: { ...asPage, traceparent } })
    return lines.slice(from)
  }
  for (const line of await linesOf(`00-${traceId}-00f067aa0ba902b7-01`)) t.match(line, { traceId })
  for (const invalid of [
    '',
    `00-${traceId}`,
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `ff-${traceId}-00f067aa0ba902b7-01`,
  ]) {
    const logged = await linesOf(invalid)
    t.ok(logged.length > 0)
    for (const line of logged) t.notOk('traceId' in line, invalid)
  }
})

t.test('a server error outside the screens is logged as a failed request', async t => {
  const { app, errors } = await start(t)
  app.get('/broken', () => {
    throw new Error(canary)
  })
  for (const headers of [asPage, { ...asPage, accept: 'application/json' }]) {
    const response = await app.inject({ url: '/broken', headers })
    t.equal(response.statusCode, 500)
  }
  t.match(
    errors(),
    Array(2).fill({ msg: 'Failed to handle a request', route: '/broken', digest: /^[0-9a-f]{10}$/ }),
  )
})

t.test('responses never contain the cause of an error', async t => {
  const thrower = () => {
    throw new Error(canary, { cause: { canary } })
  }
  const { app, errors } = await start(t, {
    store: { stats: thrower, check: thrower },
    process: { read: thrower, stop: () => {} },
  })
  app.get('/broken', thrower)
  for (const request of [
    { url: '/dashboard' },
    { url: '/readyz' },
    { url: '/broken' },
    { url: '/assets/%00' },
    { url: '/assets/..%2f..%2fpackage.json' },
  ]) {
    for (const headers of [asPage, { ...asPage, accept: 'application/json' }]) {
      const response = await app.inject({ ...request, headers })
      t.ok(response.statusCode >= 400, `${request.url} ${response.statusCode}`)
      t.notMatch(response.body + JSON.stringify(response.headers), canary, request.url)
    }
  }
  t.ok(errors().length > 0)
})

t.test('the response to a form that is too large is a page for browsers, and JSON for scripts', async t => {
  const { app } = await start(t)
  const submit = async (headers: Record<string, string> = {}) => {
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const payload = `form=preview-redaction&sample=${'a'.repeat(65 * 1024)}`
    const options = { url: paths.settings(), headers: { ...asPage, ...type, ...headers }, payload }
    return app.inject({ method: 'POST', ...options })
  }
  t.match(await submit(), {
    statusCode: 413,
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
    body: /<h1>Payload Too Large<\/h1>[\s\S]*Request body is too large\./,
  })
  t.match((await submit({ 'sec-fetch-mode': 'cors' })).json(), { error: 'Payload Too Large' })
})

t.test('if logging fails too, the failure page contains neither the digest nor the cause', async t => {
  const { logger } = createLogger({
    level: 'silent',
    release: '0.1.0',
    clean: createClean([]),
    onLine: () => {},
    output: { write: () => {} },
  })
  // A request logs through a child logger.
  logger.onChild = child => {
    child.error = () => {
      throw new Error(`${canary} in the log`)
    }
  }
  const { app } = await start(t, { logger, config: readConfig({ SIXPANE_DRILL: '1' }) })
  const stderr = t.capture(process.stderr, 'write', () => true)
  for (const [step, status] of [
    ['content', 500],
    ['render', 500],
    ['late', 200],
  ] as const) {
    const response = await app.inject({ url: `/ui?drill=${step}`, headers: asPage })
    t.equal(response.statusCode, status, step)
    t.match(response.body, failureSentence('server', 'localhost:3000'))
    t.notMatch(response.body, /Digest:|on purpose/)
    t.notMatch(response.body + JSON.stringify(response.headers), canary)
  }
  t.match(
    stderr().map(({ args }) => args[0]),
    Array(3).fill(/^Sixpane: a failure could not be logged/),
  )
})

t.test('drills are disabled by default', async t => {
  const { app } = await start(t)
  t.equal((await app.inject({ url: '/ui?drill=content', headers: asPage })).statusCode, 200)
})

t.test('a failure report from a browser is logged once, and the response contains its digest', async t => {
  const { app, errors } = await start(t)
  const payload = {
    type: 'TypeError',
    message: 'x is null',
    stack: 'TypeError: x is null\n    at f (a.js:1:2)',
    path: '/ui',
  }
  const response = await app.inject({
    method: 'POST',
    url: '/report',
    payload,
    headers: { host: 'localhost' },
  })
  t.equal(response.statusCode, 200)
  t.match(response.json().digest, /^[0-9a-f]{10}$/)
  t.match(errors(), [
    { digest: response.json().digest, side: 'client', route: '/ui', err: { type: 'TypeError' } },
  ])
  const wrong = await app.inject({
    method: 'POST',
    url: '/report',
    payload: { any: canary },
    headers: { host: 'localhost' },
  })
  t.equal(wrong.statusCode, 400)
  t.notMatch(wrong.body, canary)
  const large = await app.inject({
    method: 'POST',
    url: '/report',
    payload: { ...payload, padding: 'x'.repeat(64 * 1024) },
    headers: { host: 'localhost' },
  })
  t.equal(large.statusCode, 413)
})

t.test('the readiness probe fails during shutdown; the liveness probe succeeds', async t => {
  const drain = new AbortController()
  const { app } = await start(t, { draining: drain.signal })
  t.equal((await app.inject('/livez')).statusCode, 200)
  t.equal((await app.inject('/readyz')).statusCode, 200)
  drain.abort()
  t.equal((await app.inject('/livez')).statusCode, 200)
  t.equal((await app.inject('/readyz')).statusCode, 503)
})

t.test('DNS rebinding: every route rejects a non-loopback host', async t => {
  const { app } = await start(t)
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  const evil = 'Host: evil.example\r\nX-Forwarded-Host: localhost\r\nSec-Fetch-Site: same-origin\r\n'
  const known = [
    ...screenIds.map(id => screens[id].path),
    paths.live(),
    paths.export(),
    paths.asset('entry.js'),
  ]
  for (const path of [...known, paths.livez(), paths.readyz(), paths.lokiReady(), '/nowhere']) {
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST']) {
      const head = `${method} ${path} HTTP/1.1\r\n${evil}Connection: close\r\nContent-Length: 0\r\n\r\n`
      t.match(await sendRaw(origin, head), /^HTTP\/1\.1 421 /, `${method} ${path}`)
    }
  }
  for (const path of [paths.ingest(), paths.otlpLogs(), paths.lokiPush(), paths.browser(), paths.report()]) {
    const head = `POST ${path} HTTP/1.1\r\n${evil}Connection: close\r\nContent-Length: 0\r\n\r\n`
    t.match(await sendRaw(origin, head), /^HTTP\/1\.1 421 /, path)
  }
})

t.test(
  'DNS rebinding: rejects foreign request targets, repeated Host headers, and other unusual requests',
  async t => {
    const { app } = await start(t)
    const origin = await app.listen({ host: '127.0.0.1', port: 0 })
    const local = 'Host: 127.0.0.1'
    const evil = 'Host: evil.example'
    for (const [request, status] of [
      [`GET /livez HTTP/1.1\r\n${local}`, 200],
      [`GET http://localhost/livez HTTP/1.1\r\n${local}`, 200],
      [`GET http://127.0.0.1/livez HTTP/1.1\r\n${evil}`, 421],
      [`GET http://evil.example/livez HTTP/1.1\r\n${local}`, 421],
      [`GET http://127.0.0.1@evil.example/livez HTTP/1.1\r\n${local}`, 421],
      [`GET /livez HTTP/1.1\r\n${local}\r\n${evil}`, 421],
      [`GET /livez HTTP/1.1\r\n${evil}\r\n${local}`, 421],
      ['GET /livez HTTP/1.1\r\nHost:', 421],
      ['GET /livez HTTP/1.1\r\nX-Forwarded-Host: localhost', 400],
      ['GET /livez HTTP/1.0\r\nX-Forwarded-Host: localhost', 421],
      [`GET /livez HTTP/1.0\r\n${local}`, 200],
      [`OPTIONS * HTTP/1.1\r\n${evil}`, 421],
    ] as const) {
      const response = await sendRaw(origin, `${request}\r\nConnection: close\r\n\r\n`)
      t.equal(Number(response.split(' ')[1]), status, request)
    }
  },
)

t.test("accepts reports from Sixpane's own pages behind a reverse proxy", async t => {
  const rewritten = { host: '127.0.0.1:3000', 'x-forwarded-host': 'sixpane.example' }
  const preserved = { host: 'sixpane.example' }
  const password = { SIXPANE_PASSWORD: 'long enough' }
  const trusted = { SIXPANE_TRUST_PROXY: '127.0.0.1' }
  for (const [env, sent, status] of [
    [password, preserved, 400],
    [{ ...password, ...trusted }, preserved, 400],
    [{ ...password, ...trusted }, rewritten, 400],
    [trusted, rewritten, 400],
    // Any client can send the header.
    [password, rewritten, 403],
    [{ ...password, SIXPANE_TRUST_PROXY: '192.0.2.1' }, rewritten, 403],
    // Scripts can set X-Forwarded-Host, but not Host.
    [trusted, { host: 'evil.example', 'x-forwarded-host': 'localhost' }, 421],
  ] as const) {
    const { app } = await start(t, { config: readConfig(env) })
    const authorization = `Basic ${Buffer.from('any:long enough').toString('base64')}`
    const headers = { ...sent, authorization, origin: 'https://sixpane.example' }
    const response = await app.inject({ method: 'POST', url: paths.report(), payload: {}, headers })
    t.equal(response.statusCode, status, JSON.stringify({ env, sent }))
  }
})

t.test('one warning contains the address of a proxy that is not in SIXPANE_TRUST_PROXY', async t => {
  const warnings = async (env: Record<string, string>, headers: Record<string, string>) => {
    const { app, lines } = await start(t, { config: readConfig(env) })
    for (let index = 0; index < 3; index++) {
      await app.inject({
        url: '/livez',
        headers: { host: 'localhost', ...headers },
        remoteAddress: '10.0.0.9',
      })
    }
    return lines.filter(({ level }) => level === 40)
  }
  const forwarded = { 'x-forwarded-for': '192.0.2.1' }
  const found = await warnings({}, forwarded)
  t.match(found, [{ peer: '10.0.0.9', msg: /SIXPANE_TRUST_PROXY/ }])
  t.equal(found.length, 1)
  t.same(await warnings({}, {}), [])
  t.same(await warnings({ SIXPANE_TRUST_PROXY: '10.0.0.9' }, forwarded), [])
})

t.test(
  'rate limit: 30 failure reports per minute per client address; only trusted proxies may set the address',
  async t => {
    const firstRejected = async (
      env: Record<string, string>,
      remoteAddress: string,
      addressOf = (index: number) => `192.0.2.${index}`,
    ) => {
      const { app } = await start(t, { config: readConfig(env) })
      for (let index = 1; index <= 40; index++) {
        const headers = { host: 'localhost', 'x-forwarded-for': addressOf(index) }
        const response = await app.inject({
          method: 'POST',
          url: paths.report(),
          payload: {},
          headers,
          remoteAddress,
        })
        if (response.statusCode === 429) return index
      }
      return null
    }
    t.equal(await firstRejected({}, '127.0.0.1'), 31)
    t.equal(await firstRejected({ SIXPANE_TRUST_PROXY: '10.0.0.0/8' }, '127.0.0.1'), 31)
    t.equal(await firstRejected({ SIXPANE_TRUST_PROXY: '10.0.0.0/8' }, '10.1.2.3'), null)
    t.equal(await firstRejected({ SIXPANE_TRUST_PROXY: '10.0.0.0/8' }, '::ffff:10.1.2.3'), null)
    const withPorts = (index: number) => `203.0.113.9:${50_000 + index}, 10.9.9.9:${50_000 + index}`
    t.equal(await firstRejected({ SIXPANE_TRUST_PROXY: '10.0.0.0/8' }, '10.1.2.3', withPorts), 31)
  },
)

t.test(
  'time limits: 15 s for headers, 30 s for a request, 60 s for an idle connection, 10 s for a render',
  async t => {
    const { app } = await start(t)
    t.equal(app.server.headersTimeout, 15_000)
    t.equal(app.server.requestTimeout, 30_000)
    // Node checks both limits only this often.
    t.equal(Reflect.get(app.server, 'connectionsCheckingInterval'), 5_000)
    t.equal(app.server.timeout, 60_000)
    t.equal(readConfig({}).renderDeadlineMs, 10_000)
  },
)

t.test('a malformed chunked body of events or a report gets 400, and no failure is logged', async t => {
  const { app, errors } = await start(t)
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  for (const path of [paths.ingest(), paths.otlpLogs(), paths.lokiPush(), paths.browser(), paths.report()]) {
    const head = `POST ${path} HTTP/1.1\r\nHost: ${new URL(origin).host}\r\nContent-Type: application/json\r\n`
    t.match(
      await sendRaw(origin, `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n`),
      /^HTTP\/1\.1 400 /,
      path,
    )
  }
  t.same(errors(), [])
})

/** Sends a raw HTTP request. Returns the raw response. */
function sendRaw(origin: string, request: string): Promise<string> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  socket.write(request)
  return text(socket)
}
