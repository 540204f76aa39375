/** Tests the limit on requests per second, which applies to every ingest endpoint. */
import cookie from '@fastify/cookie'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { paths, sentryPaths } from '../../shared/paths.ts'
import authentication from '../auth/authentication.ts'
import { createToken, dsnKeyOf, hashOfToken } from '../auth/tokens.ts'
import { createClean } from '../events/clean.ts'
import { createNormalise } from '../events/normalise.ts'
import errors from '../render/error-handler.ts'
import { readConfig } from '../settings/config.ts'
import { fakeContext, testNowMs } from '../testing/fake-context.ts'
import { stubPlugins } from '../testing/stub-plugins.ts'
import ingest from './http-endpoints.ts'

async function start(t: Test, environment: Record<string, string>) {
  const clock = { nowMs: testNowMs }
  t.capture(Date, 'now', () => clock.nowMs)
  const context = fakeContext({
    config: readConfig({ SIXPANE_INGEST_RATE: '3', ...environment }),
    normalise: createNormalise(createClean([]), fakeContext().failures),
  })
  const app = Fastify()
  stubPlugins(app, ['headers', 'cross-site'])
  app.register(errors, { context })
  app.register(cookie)
  app.register(authentication, { context })
  app.register(ingest, { context })
  t.teardown(() => app.close())
  const newToken = async () =>
    (
      await createToken(
        { name: 'shop', scopes: ['ingest', 'source-maps'], services: null, expiresMs: null },
        context.store.tokens,
        testNowMs,
      )
    ).secret
  const post = (
    headers: Record<string, string> = {},
    url: string = paths.ingest(),
    remoteAddress = '192.0.2.1',
  ) => app.inject({ method: 'POST', url, headers, payload: '{}', remoteAddress })
  const statuses = async (count: number, ...request: Parameters<typeof post>) => {
    const found: number[] = []
    for (let index = 0; index < count; index++) found.push((await post(...request)).statusCode)
    return found
  }
  return { clock, post, statuses, newToken }
}

const json = { 'content-type': 'application/json' }

t.test('each client address may send SIXPANE_INGEST_RATE requests per second to each endpoint', async t => {
  const { clock, post, statuses } = await start(t, {})
  t.same(await statuses(4), [200, 200, 200, 429])
  t.match((await post()).headers, { 'retry-after': '1' })
  t.same(await statuses(1, {}, paths.ingest(), '192.0.2.2'), [200], 'another address')
  t.same(await statuses(1, { authorization: 'Bearer invented' }), [429], 'an invalid token has no effect')
  t.same(await statuses(1, json, paths.otlpLogs()), [200], 'another endpoint')
  clock.nowMs += 1000
  t.same(await statuses(4), [200, 200, 200, 429], 'the next second')
})

t.test('each token has a separate limit, regardless of the client address', async t => {
  const { statuses, newToken } = await start(t, { SIXPANE_PASSWORD: 'long enough' })
  const authorization = `Bearer ${await newToken()}`
  t.same(await statuses(3, { authorization }), [200, 200, 200])
  t.same(await statuses(1, { authorization }, paths.ingest(), '192.0.2.2'), [429])
  t.same(await statuses(1, { authorization: `Bearer ${await newToken()}` }), [200], 'another token')
  const password = `Basic ${Buffer.from('any:long enough').toString('base64')}`
  t.same(
    await statuses(4, { authorization: password }),
    [200, 200, 200, 429],
    'requests with the password are counted per address',
  )
})

t.test(
  'a visitor who sends a DSN key does not use up the limit of other visitors or of the token itself',
  async t => {
    const { statuses, newToken } = await start(t, { SIXPANE_PASSWORD: 'long enough' })
    const token = await newToken()
    const key = dsnKeyOf(hashOfToken(token))
    const [path = ''] = sentryPaths.ingest()
    const url = path.replace(':project', '1')
    const limited = [200, 200, 200, 429]
    t.same(await statuses(4, { 'x-sentry-auth': `Sentry sentry_key=${key}` }, url), limited)
    t.same(await statuses(4, { 'x-sentry-auth': `Sentry sentry_key=${key}` }, url, '192.0.2.2'), limited)
    t.same(await statuses(4, { authorization: `Bearer ${token}` }, url), limited)
  },
)

t.test("responds in each protocol's format", async t => {
  const { post } = await start(t, { SIXPANE_INGEST_RATE: '1' })
  for (const [url, format] of [
    [paths.ingest(), /^\{"error":"Too Many Requests","message":"More than 1 request per second/],
    [paths.otlpLogs(), /^\{"message":"More than 1 request per second/],
    [paths.otlpTraces(), /^\{"message":"More than 1 request per second/],
    [paths.lokiPush(), /^More than 1 request per second/],
  ] as const) {
    t.ok((await post(json, url)).statusCode < 429, url)
    t.match(await post(json, url), { statusCode: 429, headers: { 'retry-after': '1' }, body: format }, url)
  }
})

t.test('the default is 1,000 requests per second', async t => {
  t.equal(readConfig({}).ingestRequestsPerSecond, 1000)
})
