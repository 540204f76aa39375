import cookie from '@fastify/cookie'
import fc from 'fast-check'
import Fastify from 'fastify'
import t from 'tap'
import type { User } from '../../../shared/user.ts'
import { readConfig } from '../../settings/config.ts'
import { openMemoryStore } from '../../store/memory/store.ts'
import type { Listener } from '../../store/replicas.ts'
import { createSessions } from './sessions.ts'
import { createSignInStates } from './sign-in-state.ts'

const env = {
  SIXPANE_OIDC_ISSUER: 'https://sso.example',
  SIXPANE_OIDC_CLIENT_ID: 'sixpane',
  SIXPANE_OIDC_CLIENT_SECRET: 'a secret of the client',
  SIXPANE_ADMINS: 'ada@team.example',
}
const hourMs = 3_600_000
const viewer: User & { name: string } = { name: 'vera', role: 'viewer', services: ['shop'] }

/** An application that starts, shows and ends sessions. */
async function start(
  options: { env?: Record<string, string>; store?: ReturnType<typeof openMemoryStore> } = {},
) {
  const { store = openMemoryStore() } = options
  const clock = { nowMs: Date.UTC(2026, 10, 21) }
  const sessions = await createSessions(readConfig({ ...env, ...options.env }), store, () => clock.nowMs)
  const states = createSignInStates('a secret of the client', () => clock.nowMs)
  const app = Fastify()
  await app.register(cookie)
  app.post<{ Body: User & { name: string } }>('/start', async (request, reply) =>
    sessions.start(request.body, reply),
  )
  app.get('/', async request => sessions.of(request) ?? 'none')
  app.post('/end', async (request, reply) => sessions.end(request, reply).then(() => 'ended'))
  app.get<{ Querystring: { to?: string } }>('/sign-in', async (request, reply) =>
    states.start(request, reply, request.query.to ?? '/activities?q=a'),
  )
  app.get<{ Querystring: { state: string } }>(
    '/callback',
    async request => states.read(request.query.state, request) ?? 'none',
  )
  const cookieOf = ({ cookies }: { cookies: { name: string; value: string }[] }) =>
    Object.fromEntries(cookies.map(({ name, value }) => [name, value]))
  const signIn = async (user = viewer) =>
    cookieOf(await app.inject({ method: 'POST', url: '/start', payload: user }))
  const get = async (cookies: Record<string, string>) => (await app.inject({ url: '/', cookies })).body
  return { app, clock, store, signIn, get, cookieOf }
}

t.test('a session identifies its user for eight hours', async t => {
  const { clock, signIn, get } = await start()
  const cookies = await signIn()
  t.match(JSON.parse(await get(cookies)), viewer)
  clock.nowMs += 8 * hourMs - 1
  t.match(JSON.parse(await get(cookies)), viewer)
  clock.nowMs += 1
  t.equal(await get(cookies), 'none')
})

t.test('the cookie is limited to this host and not accessible to scripts', async t => {
  const { app } = await start()
  const response = await app.inject({ method: 'POST', url: '/start', payload: viewer })
  t.match(
    response.headers['set-cookie'],
    /^__Host-sixpane_session=.*; Max-Age=28800; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  )
})

t.test('an ended session is invalid for every copy of its cookie, even after a restart', async t => {
  const { app, store, signIn, get } = await start()
  const [ended, other] = [await signIn(), await signIn()]
  await app.inject({ method: 'POST', url: '/end', cookies: ended })
  t.equal(await get(ended), 'none')
  t.not(await get(other), 'none', 'another session of the same user')
  const restarted = await start({ store })
  t.equal(await restarted.get(ended), 'none')
  t.not(await restarted.get(other), 'none')
})

t.test('a session ends only after its end is stored, so that a failed sign-out can be repeated', async t => {
  const store = openMemoryStore()
  let isFull = true
  const end: typeof store.endedSessions.end = async (...session) => {
    if (isFull) throw new Error('The disk is full')
    await store.endedSessions.end(...session)
  }
  const { app, signIn, get } = await start({
    store: { ...store, endedSessions: { ...store.endedSessions, end } },
  })
  const cookies = await signIn()
  t.equal((await app.inject({ method: 'POST', url: '/end', cookies })).statusCode, 500)
  t.not(await get(cookies), 'none')
  isFull = false
  t.equal((await app.inject({ method: 'POST', url: '/end', cookies })).statusCode, 200)
  t.equal(await get(cookies), 'none')
  t.equal(await (await start({ store })).get(cookies), 'none', 'after a restart')
})

t.test('a session that ended on another replica is invalid', async t => {
  const listeners: Listener[] = []
  const onState = (listener: Listener) => {
    listeners.push(listener)
    return () => {}
  }
  const store = openMemoryStore()
  const [here, there] = await Promise.all([
    start({ store: { ...store, replicas: { ...store.replicas, onState } } }),
    start({ store }),
  ])
  const cookies = await here.signIn()
  await there.app.inject({ method: 'POST', url: '/end', cookies })
  for (const listener of listeners) await listener()
  t.equal(await here.get(cookies), 'none')
})

t.test('changing the provider or the roles ends all sessions', async t => {
  const cookies = await (await start()).signIn()
  for (const changed of [
    { SIXPANE_ADMINS: 'bob@team.example' },
    { SIXPANE_VIEWERS: '*' },
    { SIXPANE_OIDC_CLIENT_SECRET: 'another secret of the client' },
    { SIXPANE_OIDC_ISSUER: 'https://other.example' },
  ])
    t.equal(await (await start({ env: changed })).get(cookies), 'none', JSON.stringify(changed))
})

t.test('changing only the last entry in a long list of users ends all sessions', async t => {
  const list = (last: string) =>
    [...Array.from({ length: 199 }, (_, at) => `user${at}@team.example`), last].join()
  const users = (last: string) => ({
    SIXPANE_ADMINS: list('admin@team.example'),
    SIXPANE_MEMBERS: list('member@team.example'),
    SIXPANE_VIEWERS: list(last),
  })
  const cookies = await (await start({ env: users('viewer@team.example=shop') })).signIn()
  t.match(JSON.parse(await (await start({ env: users('viewer@team.example=shop') })).get(cookies)), viewer)
  t.equal(await (await start({ env: users('viewer@team.example=api') })).get(cookies), 'none')
})

t.test('property: changed session cookies and sign-in states are rejected', async () => {
  const { app, signIn, get, cookieOf } = await start()
  const [[name = '', value = ''] = []] = Object.entries(await signIn())
  const started = await app.inject('/sign-in')
  const { state } = started.json()
  const changed = (text: string) =>
    fc.oneof(
      fc.string({ unit: 'binary-ascii' }),
      fc
        .tuple(fc.nat(text.length - 1), fc.constantFrom(...'aZ9_-.='))
        .map(([at, letter]) => text.slice(0, at) + letter + text.slice(at + 1)),
      fc.nat(text.length - 1).map(length => text.slice(0, length)),
    )
  await fc.assert(
    fc.asyncProperty(changed(value), changed(state), async (session, otherState) => {
      const isSession = session !== value && (await get({ [name]: session })) !== 'none'
      const query = { state: otherState }
      const response = await app.inject({ url: '/callback', query, cookies: cookieOf(started) })
      const isState = otherState !== state && response.body !== 'none'
      return !isSession && !isState
    }),
    { numRuns: 200 },
  )
})

t.test('a sign-in belongs to one browser, and expires', async t => {
  const { app, clock, cookieOf } = await start()
  const first = await app.inject('/sign-in')
  const cookies = cookieOf(first)
  const second = await app.inject({ url: '/sign-in', cookies })
  const read = async (state: string, cookies: Record<string, string>) =>
    (await app.inject({ url: '/callback', query: { state }, cookies })).body
  for (const { nonce, codeVerifier, state } of [first.json(), second.json()]) {
    const found = JSON.parse(await read(state, cookies))
    t.same(found, { state, nonce, codeVerifier, returnTo: '/activities?q=a' }, 'two tabs of one browser')
    t.match(codeVerifier, /^[\w-]{43}$/, 'https://www.rfc-editor.org/rfc/rfc7636#section-4.1')
  }
  t.not(first.json().nonce, second.json().nonce)
  t.equal(await read(first.json().state, {}), 'none')
  const other = cookieOf(await app.inject('/sign-in'))
  t.same(
    JSON.parse(await read(first.json().state, other)),
    { returnTo: '/activities?q=a' },
    'another browser',
  )
  clock.nowMs += hourMs / 4
  for (const each of [cookies, other])
    t.equal(await read(first.json().state, each), 'none', 'after 15 minutes')
})

t.test('if a URL is too long for the provider, sign-in returns to its path without the query', async t => {
  const { app } = await start()
  const startAt = async (to: string) => (await app.inject({ url: '/sign-in', query: { to } })).json()
  const long = await startAt(`/activities?q=${'a'.repeat(12_000)}`)
  t.equal(long.returnTo, '/activities')
  t.ok(long.state.length < 4000)
  const usual = `/activities?q=${'a'.repeat(1000)}`
  t.equal((await startAt(usual)).returnTo, usual)
})

t.test('a user whose list of services is too long for a cookie gets no session', async t => {
  const { signIn } = await start()
  const services = Array.from({ length: 500 }, (_, index) => `service ${index}`)
  t.same(await signIn({ ...viewer, services }), {})
})
