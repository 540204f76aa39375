import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import cookie from '@fastify/cookie'
import fc from 'fast-check'
import Fastify from 'fastify'
import t from 'tap'
import { passwordPath, paths } from '../../shared/paths.ts'
import { readAccess } from '../http/route-access.ts'
import headers from '../middleware/headers.ts'
import { readConfig } from '../settings/config.ts'
import type { StoredToken, Token, TokenStore } from '../store/token-store.ts'
import { fakeContext } from '../testing/fake-context.ts'
import authentication from './authentication.ts'
import { createToken, dsnKeyOf, hashOfToken } from './tokens.ts'

const password = 'correct horse: battery'
const shop = 'https://shop.example'
const tokenRoutes = [
  paths.ingest(),
  paths.otlpLogs(),
  paths.otlpTraces(),
  paths.lokiPush(),
  paths.sourceMaps(),
]

/** A route that accepts DSN keys. */
const dsnRoute = '/api/1/envelope/'
/** A route that accepts DSN keys and returns the body. */
const echoRoute = '/api/2/envelope/'

type Tokens = ReadonlyMap<string, StoredToken>

/** The stored tokens, by hash. */
const stored = new Map<string, StoredToken>()

/** Stores a token and returns its secret. */
async function storeToken(options: Partial<Token> = {}): Promise<string> {
  const add = async (token: Token, hash: string) => void stored.set(hash, { ...token, hash, usedMs: null })
  const all = { name: 'shop', scopes: ['ingest', 'source-maps'], services: null, expiresMs: null } as const
  return (await createToken({ ...all, ...options }, { add }, Date.now())).secret
}
const token = await storeToken()

async function start(
  env: Record<string, string>,
  byHash = async (): Promise<Tokens> => stored,
  recordUse: TokenStore['recordUse'] = async () => {},
) {
  const fastify = Fastify({ trustProxy: true })
  const config = readConfig({ SIXPANE_BROWSER_ORIGINS: shop, ...env })
  const { tokens } = fakeContext().store
  const context = { ...fakeContext({ store: { tokens: { ...tokens, byHash, recordUse } } }), config }
  await fastify.register(cookie)
  await fastify.register(headers, { scriptSources: [], styleSources: [] })
  await fastify.register(authentication, { context })
  for (const url of [paths.livez(), paths.readyz(), paths.lokiReady()]) {
    fastify.get(url, { config: { access: 'public' } }, async () => 'ok')
  }
  for (const url of tokenRoutes) {
    const scope = url === paths.sourceMaps() ? 'source-maps' : 'ingest'
    fastify.post(url, { config: { access: { role: 'member', scope } } }, async () => 'ok')
  }
  fastify.post(
    paths.browser(),
    { config: { access: { role: 'viewer', pages: 'reports' } } },
    async () => 'ok',
  )
  const dsnAccess = { role: 'member', scope: 'ingest', pages: 'dsn' } as const
  fastify.post(dsnRoute, { config: { access: dsnAccess } }, async ({ token }) => token?.id ?? 'ok')
  fastify.post(echoRoute, { config: { access: dsnAccess } }, async ({ body }) => body)
  fastify.get(paths.activities(), { config: { access: readAccess } }, async () => 'ok')
  for (const url of [paths.report(), paths.settings()]) fastify.post(url, async () => 'ok')
  return fastify
}

const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })
const bearer = (text: string) => ({ authorization: `Bearer ${text}` })
const from = (address: string) => ({ 'x-forwarded-for': address })

t.test('every route except the health checks requires the configured password', async t => {
  const fastify = await start({ SIXPANE_PASSWORD: password })
  for (const url of [paths.livez(), paths.readyz(), paths.lokiReady()]) {
    t.equal((await fastify.inject(url)).statusCode, 200, url)
  }
  for (const url of [paths.activities(), '/nowhere']) {
    const response = await fastify.inject(url)
    t.equal(response.statusCode, 401, url)
    t.match(response.headers['www-authenticate'], /^Basic realm="Sixpane"/)
    t.ok(response.headers['content-security-policy'], 'security headers are set')
  }
  for (const url of [...tokenRoutes, paths.browser(), paths.report()]) {
    t.equal((await fastify.inject({ method: 'POST', url })).statusCode, 401, url)
  }
  for (const wrong of ['any:wrong', 'any:', ':', password, 'any:correct horse: batter', 'any', '']) {
    const response = await fastify.inject({ url: paths.activities(), headers: basic(wrong) })
    t.equal(response.statusCode, 401, wrong)
  }
  for (const url of [...tokenRoutes, paths.settings()]) {
    const response = await fastify.inject({ method: 'POST', url, headers: basic(`any:${password}`) })
    t.equal(response.statusCode, 200, url)
  }
})

t.test(
  'a trusted proxy may forward credentials that it checked, but a token still limits a request',
  async t => {
    const proxy = { SIXPANE_AUTH: 'proxy', SIXPANE_TRUST_PROXY: '127.0.0.1', SIXPANE_ADMINS: 'ada' }
    const fastify = await start({ ...proxy, SIXPANE_PASSWORD: password })
    const statusOf = async (headers: Record<string, string>, remoteAddress = '127.0.0.1') =>
      (await fastify.inject({ url: paths.activities(), headers, remoteAddress })).statusCode
    const user = { 'remote-user': 'ada' }
    for (const forwarded of [basic('ada:password of the proxy'), bearer('token of the proxy')]) {
      t.equal(await statusOf({ ...user, ...forwarded }), 200)
      t.equal(await statusOf({ ...user, ...forwarded }, '192.0.2.1'), 401, 'an address that is not trusted')
      t.equal(await statusOf(forwarded), 401, 'no user')
    }
    t.equal(await statusOf({ ...user, ...bearer('sxp_revoked') }), 401)
    t.equal(await statusOf({ ...user, ...bearer(token) }), 403, 'the token has another scope')
    t.equal(await statusOf(basic(`any:${password}`)), 200, 'the proxy sends no user')
    const { message } = (await fastify.inject(paths.activities())).json()
    t.match(message, passwordPath, 'says where a browser asks for the password')
    const asked = await fastify.inject(passwordPath)
    t.match(asked, { statusCode: 401, headers: { 'www-authenticate': /^Basic/ } })
    const withoutPassword = await (await start(proxy)).inject(paths.activities())
    t.notMatch(withoutPassword.json().message, passwordPath)
  },
)

t.test('says whether credentials are missing or wrong', async t => {
  const fastify = await start({ SIXPANE_PASSWORD: password })
  const refusal = async (headers: Record<string, string>, url = paths.ingest()) => {
    const response = await fastify.inject({ method: 'POST', url, headers })
    t.equal(response.statusCode, 401)
    return [response.json().message, response.headers['www-authenticate']]
  }
  const asksForPassword = /^Basic realm="Sixpane"/
  t.match(await refusal({}), ['Authentication required', asksForPassword])
  const wrong = /token or password is wrong, or the token was revoked/
  t.match(await refusal(bearer('sxp_revoked')), [wrong, /^Bearer realm="Sixpane", error="invalid_token"/])
  t.match(await refusal(basic('any:wrong')), [wrong, asksForPassword])
})

t.test('a token authenticates only ingest and upload requests, as Bearer or Basic credentials', async t => {
  const fastify = await start({ SIXPANE_PASSWORD: password })
  for (const headers of [bearer(token), { authorization: `bearer ${token}` }, basic(`any:${token}`)]) {
    for (const url of tokenRoutes) {
      t.equal((await fastify.inject({ method: 'POST', url, headers })).statusCode, 200, url)
    }
    for (const url of [paths.settings(), paths.report(), paths.browser()]) {
      t.equal((await fastify.inject({ method: 'POST', url, headers })).statusCode, 403, url)
    }
    t.equal((await fastify.inject({ method: 'POST', url: '/nowhere', headers })).statusCode, 404)
    t.equal((await fastify.inject({ url: paths.activities(), headers })).statusCode, 403)
  }
  for (const wrong of [`${token}x`, token.slice(0, -1), hashOfToken(token), password, '', 'Bearer']) {
    const response = await fastify.inject({ method: 'POST', url: paths.ingest(), headers: bearer(wrong) })
    t.equal(response.statusCode, 401, wrong)
  }
})

t.test('pages of connected applications need credentials everywhere except at /browser', async t => {
  const fastify = await start({ SIXPANE_PASSWORD: password })
  const post = async (url: string, origin: string) =>
    (await fastify.inject({ method: 'POST', url, headers: { origin } })).statusCode
  t.equal(await post(paths.browser(), shop), 200)
  for (const origin of ['https://other.example', 'null', `${shop}.evil.example`, 'http://shop.example']) {
    t.equal(await post(paths.browser(), origin), 401, origin)
  }
  for (const url of [paths.ingest(), paths.report(), paths.settings()])
    t.equal(await post(url, shop), 401, url)
})

/** The formats in which SDKs send a DSN key. */
function dsnRequests(key: string) {
  const auth = `Sentry sentry_version=7, sentry_client=sentry.python/2.0, sentry_key=${key}`
  return [
    { url: `${dsnRoute}?sentry_version=7&sentry_key=${key}` },
    { url: dsnRoute, headers: { 'x-sentry-auth': auth } },
    { url: dsnRoute, headers: { 'x-sentry-auth': `Sentry sentry_key=${key},sentry_version=7` } },
  ]
}

t.test('a DSN key in the query or a header authenticates on the DSN routes', async t => {
  const fastify = await start({ SIXPANE_PASSWORD: password })
  for (const key of [dsnKeyOf(hashOfToken(token)), token]) {
    for (const request of dsnRequests(key)) {
      const response = await fastify.inject({ method: 'POST', ...request })
      t.equal(response.statusCode, 200, JSON.stringify(request))
      t.equal(response.body, stored.get(hashOfToken(token))?.id, 'the route knows the token')
    }
  }
  for (const headers of [bearer(token), basic(`any:${token}`), basic(`any:${password}`)]) {
    t.equal((await fastify.inject({ method: 'POST', url: dsnRoute, headers })).statusCode, 200)
  }
  const key = dsnKeyOf(hashOfToken(token))
  for (const headers of [
    bearer(key),
    basic(`any:${key}`),
    { origin: shop },
    { origin: 'https://other.example' },
    {},
  ]) {
    t.equal((await fastify.inject({ method: 'POST', url: dsnRoute, headers })).statusCode, 401)
  }
})

t.test('wrong DSN keys are rejected', async t => {
  const fastify = await start({ SIXPANE_PASSWORD: password })
  const key = dsnKeyOf(hashOfToken(token))
  const wrong = [
    key.slice(1),
    `${key}0`,
    key.toUpperCase(),
    hashOfToken(token),
    encodeURIComponent(password),
    '',
  ]
  for (const request of wrong.flatMap(dsnRequests)) {
    t.equal((await fastify.inject({ method: 'POST', ...request })).statusCode, 401, JSON.stringify(request))
  }
  const twice = `${dsnRoute}?sentry_key=${key}&sentry_key=${key}`
  t.equal((await fastify.inject({ method: 'POST', url: twice })).statusCode, 401)
})

t.test('a DSN key is not accepted on other routes', async t => {
  const fastify = await start({ SIXPANE_PASSWORD: password })
  for (const key of [dsnKeyOf(hashOfToken(token)), token]) {
    for (const { url, headers = {} } of dsnRequests(key)) {
      for (const other of [...tokenRoutes, paths.browser(), paths.settings()]) {
        const response = await fastify.inject({ method: 'POST', url: url.replace(dsnRoute, other), headers })
        t.equal(response.statusCode, 401, other)
      }
    }
  }
})

t.test('a DSN key is valid from the creation of its token until the token is removed', async t => {
  const other = await storeToken()
  const only = (...secrets: string[]): Tokens =>
    new Map([...stored].filter(([hash]) => secrets.some(secret => hashOfToken(secret) === hash)))
  let current = only()
  const fastify = await start({ SIXPANE_PASSWORD: password }, async () => current)
  const status = async () => {
    const url = `${dsnRoute}?sentry_key=${dsnKeyOf(hashOfToken(token))}`
    return (await fastify.inject({ method: 'POST', url })).statusCode
  }
  t.equal(await status(), 401)
  current = only(other, token)
  t.equal(await status(), 200)
  current = only(other)
  t.equal(await status(), 401)
})

t.test('a DSN key has precedence over other credentials, which a proxy or tunnel may have added', async t => {
  const fastify = await start({ SIXPANE_PASSWORD: password })
  const requests = dsnRequests(dsnKeyOf(hashOfToken(token)))
  for (let attempt = 0; attempt < 30; attempt++) {
    for (const { url, headers } of requests) {
      const other = attempt % 2 === 0 ? basic(`proxy:${attempt}`) : bearer(`other-${attempt}`)
      const response = await fastify.inject({ method: 'POST', url, headers: { ...headers, ...other } })
      t.equal(response.statusCode, 200, 'the other credentials do not count as failed attempts')
    }
  }
})

/** The body that a tunnel forwards. Its first line contains the DSN. */
const envelope = (key: string, header: object = {}) =>
  `${JSON.stringify({ dsn: `https://${key}@sixpane.example/1`, ...header })}\n{"type":"event"}\n{}`

t.test('the DSN in an envelope authenticates a request from a tunnel', async t => {
  const fastify = await start({ SIXPANE_PASSWORD: password })
  const post = (payload: string | Buffer, headers: Record<string, string> = {}, url = dsnRoute) =>
    fastify.inject({ method: 'POST', url, payload, headers: { 'content-type': 'text/plain', ...headers } })
  const key = dsnKeyOf(hashOfToken(token))
  const body = envelope(key)
  t.match(await post(body), { statusCode: 200, body: stored.get(hashOfToken(token))?.id })
  t.equal((await post(envelope(`${key}:secret`))).statusCode, 200, 'a DSN of an old SDK')
  const large = `${body}${' '.repeat(200_000)}`
  t.equal((await post(large, {}, echoRoute)).body, large, 'the route gets the whole body')

  for (const [why, payload] of [
    ['wrong key', envelope(`${key}0`)],
    ['no key', '{"dsn":"https://sixpane.example/1"}\n{}'],
    ['no DSN', '{}\n{}'],
    ['DSN is not text', '{"dsn":{"key":1}}\n{}'],
    ['DSN is not in the first line', `{}\n${body}`],
    ['not JSON', `no\n${body}`],
    ['not an object', 'null\n'],
    ['no line break', body.split('\n')[0] ?? ''],
    ['empty', ''],
    ['long header', envelope(key, { trace: 'x'.repeat(20_000) })],
  ] as const) {
    t.equal((await post(payload)).statusCode, 401, why)
  }
  t.equal((await post(gzipSync(body), { 'content-encoding': 'gzip' })).statusCode, 401, 'compressed')
  t.equal((await post(body, {}, paths.ingest())).statusCode, 401, 'another route')
  t.equal((await post(body, bearer('wrong'))).statusCode, 401, 'other credentials')
})

t.test('wrong keys in envelopes are limited per address, but cannot lock out the right key', async t => {
  const fastify = await start({ SIXPANE_PASSWORD: password })
  const post = (address: string, key: string) =>
    fastify.inject({
      method: 'POST',
      url: dsnRoute,
      payload: envelope(key),
      headers: { 'content-type': 'text/plain', ...from(address) },
    })
  for (let guess = 0; guess < 100; guess++) await post('192.0.2.7', `guess${guess}`)
  t.equal((await post('192.0.2.7', 'another')).statusCode, 429)
  t.equal((await post('192.0.2.7', dsnKeyOf(hashOfToken(token)))).statusCode, 200, 'the same tunnel')
  t.equal((await post('192.0.2.8', 'another')).statusCode, 401)
})

t.test(
  'a rejected envelope is answered before it is complete, and the connection remains usable',
  async t => {
    const fastify = await start({ SIXPANE_PASSWORD: password })
    t.teardown(() => fastify.close())
    const origin = await fastify.listen({ host: '127.0.0.1', port: 0 })
    const socket = connect(Number(new URL(origin).port), '127.0.0.1')
    t.teardown(() => socket.destroy())
    const answers = socket[Symbol.asyncIterator]()
    const answer = async () => String((await answers.next()).value).split(' ')[1]
    const head = (length: number) =>
      `POST ${dsnRoute} HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: ${length}\r\n\r\n`
    for (const start of [envelope('wrong'), 'x'.repeat(17_000)]) {
      const rest = ' '.repeat(1_000_000)
      socket.write(head(start.length + rest.length) + start)
      t.equal(await answer(), '401')
      socket.write(rest)
    }
    // The header arrives in two parts.
    const body = envelope(dsnKeyOf(hashOfToken(token)))
    socket.write(head(body.length) + body.slice(0, 20))
    await new Promise(setImmediate)
    socket.write(body.slice(20))
    t.equal(await answer(), '200')
  },
)

t.test('wrong DSN keys are limited per address, but cannot lock out the right key', async t => {
  const fastify = await start({ SIXPANE_PASSWORD: password })
  const post = (address: string, key: string) =>
    fastify.inject({ method: 'POST', url: `${dsnRoute}?sentry_key=${key}`, headers: from(address) })
  for (let guess = 0; guess < 100; guess++) await post('192.0.2.7', `guess${guess}`)
  t.equal((await post('192.0.2.7', 'another')).statusCode, 429)
  t.equal((await post('192.0.2.7', dsnKeyOf(hashOfToken(token)))).statusCode, 200)
  t.equal((await post('192.0.2.8', 'another')).statusCode, 401)
  const headers = { ...from('192.0.2.7'), ...bearer(token) }
  t.equal((await fastify.inject({ method: 'POST', url: dsnRoute, headers })).statusCode, 200)
})

t.test('failed attempts are limited per address, and a repeated revoked token counts only once', async t => {
  const fastify = await start({ SIXPANE_PASSWORD: password })
  const post = (address: string, authorization: object) =>
    fastify.inject({
      method: 'POST',
      url: paths.ingest(),
      headers: { ...from(address), ...authorization },
    })
  let response = await post('2001:db8::1', basic('any:guess'))
  for (let guess = 0; guess < 100; guess++) {
    await post('192.0.2.7', bearer('sxp_revoked'))
    response = await post(`2001:db8::${guess}`, basic(`any:guess ${guess}`))
  }
  t.equal(response.statusCode, 429)
  t.ok(Number(response.headers['retry-after']) > 60)
  const right = basic(`any:${password}`)
  t.equal((await post('2001:db8::1', right)).statusCode, 429, 'even the correct password is rejected')
  t.equal((await post('2001:db8::1', bearer(token))).statusCode, 200, 'a service at the same address')
  t.equal((await post('2001:db8::1', basic(`any:${token}`))).statusCode, 200, 'a token as the password')
  t.equal((await post('2001:db8:0:1::1', right)).statusCode, 200, 'another network')
  t.equal((await post('192.0.2.7', right)).statusCode, 200)
  t.equal((await post('192.0.2.7', bearer(token))).statusCode, 200)
  t.equal((await post('192.0.2.7', bearer('sxp_revoked'))).statusCode, 401)
  for (let guess = 0; guess < 100; guess++) await post('192.0.2.9', bearer(`sxp_${guess}`))
  t.equal((await post('192.0.2.9', bearer('sxp_another'))).statusCode, 429)
  t.equal((await post('192.0.2.9', bearer(token))).statusCode, 200, 'a valid token is not a guess')
  for (let guess = 0; guess < 100; guess++) await post('192.0.2.10', basic(`any:sxp_${guess}`))
  t.equal((await post('192.0.2.10', basic('any:sxp_another'))).statusCode, 429)
  t.equal((await post('192.0.2.10', bearer('sxp_another'))).statusCode, 429, 'the same limit')
  t.equal((await post('192.0.2.10', right)).statusCode, 200, 'wrong tokens do not lock out the password')
})

t.test('a request with a token gets 503 while the store is unavailable', async t => {
  const fastify = await start({ SIXPANE_PASSWORD: password }, () =>
    Promise.reject(new Error('The disk is gone')),
  )
  for (let time = 0; time < 100; time++) {
    const headers = bearer(`sxp_${time}`)
    const response = await fastify.inject({ method: 'POST', url: paths.ingest(), headers })
    t.equal(response.statusCode, 503)
    t.ok(Number(response.headers['retry-after']) > 0)
    t.notMatch(response.body, 'disk')
  }
  t.equal(
    (await fastify.inject({ url: paths.activities(), headers: basic(`any:${password}`) })).statusCode,
    200,
  )
})

t.test('property: arbitrary Authorization headers are rejected', async t => {
  const fastify = await start({ SIXPANE_PASSWORD: password })
  const scheme = fc.constantFrom('', 'Basic ', 'basic', 'Bearer ', 'Bearer\t', 'Digest ')
  const text = fc.string({ unit: fc.constantFrom(...' !"#%+,-./09:=AZ_az~\t\u00e9') })
  await fc.assert(
    fc.asyncProperty(scheme, text, fc.nat({ max: 255 }), async (scheme, text, address) => {
      const headers = { authorization: scheme + text, ...from(`192.0.2.${address}`) }
      const { statusCode } = await fastify.inject({ method: 'POST', url: paths.ingest(), headers })
      return statusCode === 401 || statusCode === 429
    }),
  )
  t.equal(
    (await fastify.inject({ url: paths.activities(), headers: basic(`any:${password}`) })).statusCode,
    200,
  )
})

t.test('passwords are compared in constant time, using hashes of equal length', async t => {
  const fastify = await start({ SIXPANE_PASSWORD: password })
  const compared: number[][] = []
  const { timingSafeEqual } = crypto
  crypto.timingSafeEqual = (a, b) => {
    compared.push([a.byteLength, b.byteLength])
    return timingSafeEqual(a, b)
  }
  syncBuiltinESMExports()
  t.teardown(() => {
    crypto.timingSafeEqual = timingSafeEqual
    syncBuiltinESMExports()
  })
  const attempts = ['', 'c', password.slice(0, -1), `${password}x`, password]
  for (const attempt of attempts) {
    const { statusCode } = await fastify.inject({ url: paths.activities(), headers: basic(`ops:${attempt}`) })
    t.equal(statusCode, attempt === password ? 200 : 401)
  }
  t.same(
    compared,
    attempts.map(() => [32, 32]),
  )
})

t.test('a token permits only requests within its scopes, until it expires', async t => {
  const used: string[] = []
  const fastify = await start({ SIXPANE_PASSWORD: password }, undefined, async usedMs => {
    used.push(...usedMs.keys())
  })
  const statusOf = async (secret: string, method: 'GET' | 'POST', url: string) =>
    (await fastify.inject({ method, url, headers: bearer(secret) })).statusCode
  const reading = await storeToken({ scopes: ['read'] })
  t.equal(await statusOf(reading, 'GET', paths.activities()), 200)
  t.equal(await statusOf(reading, 'POST', paths.ingest()), 403)
  t.equal(await statusOf(reading, 'POST', paths.settings()), 403)
  const maps = await storeToken({ scopes: ['source-maps'] })
  t.equal(await statusOf(maps, 'POST', paths.sourceMaps()), 200)
  t.equal(await statusOf(maps, 'POST', paths.ingest()), 403)
  const dsn = `${dsnRoute}?sentry_key=${dsnKeyOf(hashOfToken(maps))}`
  t.equal((await fastify.inject({ method: 'POST', url: dsn })).statusCode, 403, "the token's DSN key")
  const expired = await storeToken({ expiresMs: Date.now() - 1 })
  const response = await fastify.inject({ method: 'POST', url: paths.ingest(), headers: bearer(expired) })
  t.equal(response.statusCode, 401)
  t.match(response.json(), { message: /has expired/ })
  await fastify.close()
  const idOf = (secret: string) => stored.get(hashOfToken(secret))?.id
  t.same(used, [idOf(reading), idOf(maps)], 'only permitted requests count as use')
})

t.test('without a configured password, no credentials are required', async t => {
  const fastify = await start({})
  t.equal((await fastify.inject(paths.activities())).statusCode, 200)
  t.equal((await fastify.inject({ method: 'POST', url: paths.ingest() })).statusCode, 200)
})

t.test('pipelined requests cannot bypass the login rate limit', async t => {
  const passwords = [...Array.from({ length: 500 }, (_, index) => `wrong ${index}`), password]
  const tokens = Array.from({ length: 501 }, (_, index) => `sxp_${index}`)
  for (const [title, url, lines] of [
    ['passwords', paths.settings(), passwords.map(secret => basic(`any:${secret}`))],
    ['passwords at an ingest endpoint', paths.ingest(), passwords.map(secret => basic(`any:${secret}`))],
    ['tokens', paths.ingest(), tokens.map(bearer)],
    ['tokens as passwords', paths.ingest(), tokens.map(secret => basic(`any:${secret}`))],
  ] as const) {
    const fastify = await start({ SIXPANE_PASSWORD: password }, async () => {
      await new Promise(setImmediate)
      return stored
    })
    t.teardown(() => fastify.close())
    const statuses = await pipeline(
      await fastify.listen({ host: '127.0.0.1', port: 0 }),
      lines.map(headers => ({ url, headers })),
    )
    t.same(statuses, [...Array(20).fill(401), ...Array(lines.length - 20).fill(429)], title)
  }
})

/** Sends all requests in one write on one connection. Returns the statuses in order. */
async function pipeline(
  origin: string,
  requests: { url: string; headers: { authorization: string } }[],
): Promise<number[]> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  const rawRequests = requests.map(
    ({ url, headers }, index) =>
      `POST ${url} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nAuthorization: ${headers.authorization}\r\n` +
      `Connection: ${index === requests.length - 1 ? 'close' : 'keep-alive'}\r\n\r\n`,
  )
  socket.write(rawRequests.join(''))
  return [...(await text(socket)).matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))
}
