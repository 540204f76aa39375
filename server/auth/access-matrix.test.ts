import { join } from 'node:path'
import t, { type Test } from 'tap'
import { activitiesForms } from '../../shared/screens/activities.ts'
import { connectForm, failureForms } from '../../shared/screens/development.ts'
import { settingsForms } from '../../shared/screens/settings.ts'
import type { TokenScope } from '../../shared/token.ts'
import { includesRole, type Role, roles } from '../../shared/user.ts'
import type { RouteAccess } from '../http/route-access.ts'
import { readConfig } from '../settings/config.ts'
import type { StoredToken } from '../store/token-store.ts'
import { fakeContext } from '../testing/fake-context.ts'
import { createAppWithRoutes } from '../testing/registered-routes.ts'
import { hashOfToken } from './tokens.ts'

const [read, ingest, maps] = ['viewer or read', 'member or ingest', 'member or source-maps']
const dsn = `${ingest}, pages: dsn`

/** Who may use each route. A new route must be added here. */
const expected: Readonly<Record<string, string>> = {
  'GET /': read,
  'GET /activities': read,
  'GET /dashboard': read,
  'GET /development': read,
  'GET /settings': read,
  'GET /ui': read,
  // Each form requires its own role, and `viewer` is the lowest.
  'POST /activities': 'viewer',
  'POST /development': 'viewer',
  'POST /settings': 'viewer',
  'GET /assets/*': read,
  'GET /complete': read,
  'GET /export': read,
  'GET /find': read,
  'GET /live': read,
  'GET /metrics': `${read}, all services`,
  'GET /backup': 'admin or backup, all services, not from other sites',
  'GET /password': 'admin',
  'POST /report': 'viewer',
  'POST /browser': 'viewer, pages: reports',
  'OPTIONS /browser': 'viewer, pages: reports',
  'POST /ingest': ingest,
  'POST /v1/logs': ingest,
  'POST /v1/traces': ingest,
  'POST /loki/api/v1/push': ingest,
  'PUT /api/sourcemaps': maps,
}

/** Routes that need no sign-in. */
const expectedPublic = ['GET /livez', 'GET /readyz', 'GET /ready']

const tokens = {
  ingest: { scopes: ['ingest'] },
  'source-maps': { scopes: ['source-maps'] },
  read: { scopes: ['read'] },
  backup: { scopes: ['backup'] },
  all: { scopes: ['ingest', 'source-maps', 'read', 'backup'] },
  limited: { scopes: ['ingest', 'source-maps', 'read', 'backup'], services: ['shop'] },
  expired: { scopes: ['ingest', 'source-maps', 'read'], expiresMs: 1 },
} as const satisfies Record<string, Partial<StoredToken>>

const stored = new Map(
  Object.entries(tokens).map(([name, token]): [string, StoredToken] => {
    const hash = hashOfToken(`sxp_${name}`)
    const unlimited = { services: null, expiresMs: null, usedMs: null }
    return [hash, { id: name, name, createdMs: 0, hash, ...unlimited, ...token }]
  }),
)

type Sender = {
  headers: Record<string, string>
  /** `null` if the sender has no role, such as a token. */
  role: Role | null
  scopes?: readonly TokenScope[]
  isLimited?: boolean
}

const asUser = (name: string) => ({ 'remote-user': name, 'remote-groups': 'team, viewers' })
const wrongPassword = { authorization: `Basic ${Buffer.from('ops:wrong').toString('base64')}` }
const withToken = (name: string) => ({ authorization: `Bearer sxp_${name}` })

const senders: Readonly<Record<string, Sender>> = {
  anonymous: { headers: {}, role: null },
  stranger: { headers: { 'remote-user': 'mallory' }, role: null },
  viewer: { headers: asUser('vera'), role: 'viewer' },
  'viewer of one service': { headers: { 'remote-user': 'lim' }, role: 'viewer', isLimited: true },
  member: { headers: asUser('max'), role: 'member' },
  admin: { headers: asUser('ada'), role: 'admin' },
  'password of an administrator': {
    headers: { authorization: `Basic ${Buffer.from('ops:correct horse').toString('base64')}` },
    role: 'admin',
  },
  'wrong password': { headers: wrongPassword, role: null },
  "user with the proxy's password": { headers: { ...wrongPassword, ...asUser('max') }, role: 'member' },
  'unknown token': { headers: { ...withToken('unknown'), ...asUser('ada') }, role: null },
  'expired token': { headers: withToken('expired'), role: null },
  'ingest token': { headers: withToken('ingest'), role: null, scopes: tokens.ingest.scopes },
  'source map token': { headers: withToken('source-maps'), role: null, scopes: tokens['source-maps'].scopes },
  'read token': { headers: withToken('read'), role: null, scopes: tokens.read.scopes },
  'backup token': { headers: withToken('backup'), role: null, scopes: tokens.backup.scopes },
  'token for everything': { headers: withToken('all'), role: null, scopes: tokens.all.scopes },
  'token for one service': {
    headers: withToken('limited'),
    role: null,
    scopes: tokens.limited.scopes,
    isLimited: true,
  },
}

async function createTestApp(t: Test, { runsHandlers }: { runsHandlers: boolean }) {
  const { build, store } = fakeContext()
  const config = readConfig({
    SIXPANE_PASSWORD: 'correct horse',
    SIXPANE_AUTH: 'proxy',
    SIXPANE_TRUST_PROXY: '127.0.0.1',
    SIXPANE_ADMINS: 'ada',
    SIXPANE_MEMBERS: 'max',
    SIXPANE_VIEWERS: 'vera,lim=shop',
    SIXPANE_BROWSER_ORIGINS: 'https://shop.example',
  })
  const created = await createAppWithRoutes(
    fakeContext({
      config,
      build: { ...build, assetsFolder: join(t.testdir({ assets: { 'entry.js': '' } }), 'assets') },
      store: { tokens: { ...store.tokens, byHash: async () => stored } },
    }),
    app => {
      // Permitted requests stop here, because the response of a live feed would never end.
      if (!runsHandlers) app.addHook('preValidation', async (_request, reply) => reply.code(299).send())
    },
  )
  t.teardown(() => created.app.close())
  return created
}

t.test('every route declares who may use it', async t => {
  const { routes } = await createTestApp(t, { runsHandlers: false })
  const found = new Map(
    // Fastify adds a HEAD route to most GET routes.
    routes.map(({ method, url, access }) => [
      `${method === 'HEAD' ? 'GET' : method} ${url}`,
      describe(access),
    ]),
  )
  for (const name of expectedPublic) {
    t.equal(found.get(name), 'public', name)
    found.delete(name)
  }
  // Sentry's paths are long and follow a pattern.
  for (const [name, access] of found) {
    if (!/ (?:\/[^ ]*)?\/api\//.test(name) || name in expected) continue
    const isEvent = /envelope|store/.test(name)
    const isUpload = /chunk-upload|assemble/.test(name)
    t.equal(access, isEvent ? dsn : isUpload ? `${maps}, all services` : maps, name)
    found.delete(name)
  }
  t.same(Object.fromEntries(found), expected)
})

t.test('every route accepts exactly the senders that its declared access permits', async t => {
  const { app, routes } = await createTestApp(t, { runsHandlers: false })
  const unknown = ['GET', 'POST'].map(method => ({ method, url: '/nowhere', access: unknownPathAccess }))
  for (const { method, url: pattern, access } of [...routes, ...unknown]) {
    const url = pattern.replace('*', 'entry.js').replaceAll(/:\w+/g, '1')
    const hasEffect = access !== undefined && access !== 'public' && access.rejectsCrossSite === true
    const changes = hasEffect || !['GET', 'HEAD', 'OPTIONS'].includes(method)
    for (const [name, sender] of Object.entries(senders)) {
      const statusOf = async (more: Record<string, string>) => {
        const headers = { ...sameOrigin, ...sender.headers, ...more }
        return (await app.inject({ method: methodOf(method), url, headers })).statusCode
      }
      const permitted = isPermitted(sender, access)
      const status = await statusOf({})
      const isRefused = status === 401 || status === 403
      t.equal(!isRefused, permitted, `${method} ${url}, ${name}: ${status}`)
      if (changes) t.equal(await statusOf(fromOtherSite), 403, `${method} ${url} from another site, ${name}`)
    }
  }
})

/** Browser reports need these headers. */
const sameOrigin = { host: 'console.example', origin: 'https://console.example' }
const fromOtherSite = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }

/** The role that each form requires. */
const forms: Readonly<Record<string, Readonly<Record<string, Role>>>> = {
  '/activities': {
    [activitiesForms.save]: 'member',
    [activitiesForms.deleteSearch]: 'member',
    [activitiesForms.columns]: 'viewer',
    [activitiesForms.undo]: 'member',
  },
  '/development': {
    ...Object.fromEntries(Object.values(failureForms).map(form => [form, 'member'] as const)),
    [connectForm]: 'member',
  },
  '/settings': {
    ...Object.fromEntries(Object.values(settingsForms).map(form => [form, 'admin'] as const)),
    [settingsForms.preferences]: 'viewer',
    [settingsForms.zone]: 'viewer',
    [settingsForms.undo]: 'viewer',
  },
}

t.test('every form accepts only users with the required role or a higher one', async t => {
  const { app } = await createTestApp(t, { runsHandlers: true })
  t.same(Object.keys(forms['/activities'] ?? {}).sort(), Object.values(activitiesForms).sort())
  for (const [url, screenForms] of Object.entries(forms)) {
    for (const [form, needed] of Object.entries({
      ...screenForms,
      unknown: url === '/settings' ? 'admin' : 'member',
    })) {
      for (const [index, name] of ['vera', 'max', 'ada'].entries()) {
        const headers = { ...asUser(name), 'content-type': 'application/x-www-form-urlencoded' }
        const payload = new URLSearchParams({ form }).toString()
        const { statusCode } = await app.inject({ method: 'POST', url, headers, payload })
        const role = roles[index] ?? 'viewer'
        const neededRole = roles.find(each => each === needed) ?? 'admin'
        t.equal(
          statusCode !== 403,
          includesRole(role, neededRole),
          `${form} at ${url}, ${role}: ${statusCode}`,
        )
      }
    }
  }
})

/** Unknown paths respond with status 404 or 405 to every user and every token. */
const unknownPathAccess: RouteAccess = { role: 'viewer', scope: 'any' }

function isPermitted(
  { role, scopes = [], isLimited = false }: Sender,
  access: RouteAccess | undefined,
): boolean {
  if (access === 'public') return true
  const { role: needed, scope, needsAllServices = false } = access ?? { role: 'admin' }
  const hasScope = scopes.some(each => scope === 'any' || scope === each)
  const has = role === null ? hasScope : includesRole(role, needed)
  return has && !(isLimited && needsAllServices)
}

function describe(access: RouteAccess | undefined): string {
  if (access === undefined) return 'not declared'
  if (access === 'public') return access
  const { role, scope, pages, needsAllServices, rejectsCrossSite } = access
  return [
    scope === undefined ? role : `${role} or ${scope}`,
    ...(pages === undefined ? [] : [`pages: ${pages}`]),
    ...(needsAllServices === true ? ['all services'] : []),
    ...(rejectsCrossSite === true ? ['not from other sites'] : []),
  ].join(', ')
}

function methodOf(method: string) {
  const found = (['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const).find(
    each => each === method,
  )
  if (found === undefined) throw new Error(`Unknown method ${method}`)
  return found
}
