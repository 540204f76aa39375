import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import cookie from '@fastify/cookie'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { passwordPath, paths } from '../../../shared/paths.ts'
import type { Role } from '../../../shared/user.ts'
import { createHttpApp } from '../../http-app.ts'
import { readConfig } from '../../settings/config.ts'
import { openMemoryStore } from '../../store/memory/store.ts'
import { fakeContext } from '../../testing/fake-context.ts'
import { passOnTraces, type TracedFetch } from '../../tracing/tracing.ts'
import { createSessions } from './sessions.ts'

const issuer = 'https://sso.example'
const unreachable = () => Promise.reject(new Error('The provider is unreachable'))

const oidcEnv = {
  SIXPANE_OIDC_ISSUER: issuer,
  SIXPANE_OIDC_CLIENT_ID: 'sixpane',
  SIXPANE_OIDC_CLIENT_SECRET: 'a secret of the client',
  SIXPANE_ADMINS: 'ada@team.example',
}

async function start(t: Test, fetch: TracedFetch = unreachable, env: Record<string, string> = {}) {
  const config = readConfig({ ...env, ...oidcEnv })
  const app = await createHttpApp(fakeContext({ config, tracing: { ...passOnTraces(), fetch } }))
  t.teardown(() => app.close())
  return app
}

t.test('a request without a valid host gets 400, because signing in requires the host', async t => {
  const app = await start(t)
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  const get = async (path: string, ...lines: string[]) => {
    const socket = connect(Number(port), '127.0.0.1')
    socket.write([`GET ${path} HTTP/1.0`, 'Accept: text/html', ...lines, '', ''].join('\r\n'))
    return text(socket)
  }
  for (const path of [paths.signIn(), paths.signedOut(), paths.home()]) {
    for (const host of ['a b', '[', 'x:99999', ''])
      t.match(await get(path, `Host: ${host}`), /^HTTP\/1.1 400 .*Host header/s, `${path} ${host}`)
    t.match(await get(path), /^HTTP\/1.1 400 .*Host header/s, `${path} without a host`)
  }
  for (const host of ['logs.example', 'logs.example:8443', '127.0.0.1:80', '[::1]'])
    t.match(await get(paths.signIn(), `Host: ${host}`), /^HTTP\/1.1 503 .*sso.example/s, host)
})

t.test('each client address may open the sign-in callback 30 times per minute', async t => {
  const app = await start(t)
  const statusFrom = async (remoteAddress: string) =>
    (await app.inject({ url: paths.signInCallback(), remoteAddress })).statusCode
  for (let time = 1; time <= 30; time += 1) t.equal(await statusFrom('192.0.2.1'), 400)
  t.equal(await statusFrom('192.0.2.1'), 429)
  t.equal(await statusFrom('192.0.2.2'), 400)
})

t.test('tabs that start sign-in before the browser has a cookie return to their pages', async t => {
  const endpoints = { authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` }
  const app = await start(t, async () => Response.json({ issuer, ...endpoints }))
  const open = async (url: string, cookies = {}) => {
    const response = await app.inject({ url, cookies, headers: { accept: 'text/html' } })
    const location = response.headers.location ?? ''
    const set = response.cookies.filter(({ value }) => value !== '')
    const state = new URL(location, issuer).searchParams.get('state') ?? ''
    return {
      status: response.statusCode,
      body: response.body,
      cookies: Object.fromEntries(set.map(({ name, value }) => [name, value])),
      location,
      callback: `${paths.signInCallback()}?${new URLSearchParams({ code: 'c', iss: issuer, state })}`,
    }
  }
  const [first, last] = [await open(paths.dashboard()), await open(paths.settings())]
  t.equal((await open(first.callback, last.cookies)).location, paths.dashboard())
  const again = await open(paths.dashboard(), last.cookies)
  const answered = await open(again.callback, last.cookies)
  t.equal(answered.status, 502, 'uses the code, which this provider does not accept')
  t.ok(answered.body.includes(paths.signIn({ to: paths.dashboard() })))
  t.equal((await open(first.callback)).status, 400, 'without a cookie, sign-in does not start again')
})

t.test('while the provider is down, the error page leads to the password, if there is one', async t => {
  const app = await start(t, unreachable, { SIXPANE_PASSWORD: 'correct horse' })
  const get = (url: string, headers: Record<string, string> = {}, on = app) =>
    on.inject({ url, headers: { accept: 'text/html', ...headers } })
  const link = `href="${passwordPath}"`
  const signedOut = { cookie: '__Host-sixpane_signed_out=1' }
  for (const [url, headers, status] of [
    [paths.home(), {}, 503],
    [paths.home(), signedOut, 401],
    [paths.signedOut(), {}, 200],
  ] as const) {
    const response = await get(url, headers)
    t.equal(response.statusCode, status)
    t.match(response.body, link)
    t.notMatch((await get(url, headers, await start(t))).body, link, 'without a password')
  }

  const challenge = await get(passwordPath)
  t.match(challenge, { statusCode: 401, headers: { 'www-authenticate': /^Basic realm="Sixpane"/ } })
  const basic = (password: string) => ({
    authorization: `Basic ${Buffer.from(`ops:${password}`).toString('base64')}`,
  })
  t.match(await get(passwordPath, basic('correct horse')), {
    statusCode: 303,
    headers: { location: paths.home(), 'cache-control': 'no-store' },
  })
  t.match(await get(passwordPath, basic('wrong')), {
    statusCode: 401,
    headers: { 'www-authenticate': /^Basic/ },
  })
  t.match((await get(paths.signedOut(), basic('correct horse'))).body, 'close it')
})

/** Returns the cookies of a user who has signed in. */
async function sessionOf(role: Role): Promise<Record<string, string>> {
  const sessions = await createSessions(readConfig(oidcEnv), openMemoryStore())
  const app = Fastify()
  await app.register(cookie)
  app.get('/', async (_request, reply) => sessions.start({ name: 'ada', role, services: null }, reply))
  return Object.fromEntries((await app.inject('/')).cookies.map(({ name, value }) => [name, value]))
}

t.test('the password page also asks users who have a session, because their role may be too low', async t => {
  const app = await start(t, unreachable, { SIXPANE_PASSWORD: 'correct horse' })
  for (const role of ['viewer', 'admin'] as const) {
    const cookies = await sessionOf(role)
    t.equal((await app.inject({ url: paths.settings(), cookies })).statusCode, 200, 'has a session')
    const challenge = await app.inject({ url: passwordPath, cookies })
    t.match(challenge, { statusCode: 401, headers: { 'www-authenticate': /^Basic realm="Sixpane"/ } }, role)
    const headers = { authorization: `Basic ${Buffer.from('ops:correct horse').toString('base64')}` }
    t.equal((await app.inject({ url: passwordPath, cookies, headers })).statusCode, 303, role)
  }
})
