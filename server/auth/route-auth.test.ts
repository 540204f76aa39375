import { join } from 'node:path'
import t, { type Test } from 'tap'
import { paths, sentryPaths } from '../../shared/paths.ts'
import type { RouteAuth } from '../http/route-auth.ts'
import { readConfig } from '../settings/config.ts'
import { fakeContext } from '../testing/fake-context.ts'
import { createAppWithRoutes } from '../testing/registered-routes.ts'

/** The only routes that accept requests without the password. */
const declared: Record<Exclude<RouteAuth, 'password'>, string[]> = {
  none: [paths.livez(), paths.readyz(), paths.lokiReady()].map(url => `GET ${url}`),
  token: [
    ...[paths.ingest(), paths.otlpLogs(), paths.otlpTraces(), paths.lokiPush()].map(url => `POST ${url}`),
    `PUT ${paths.sourceMaps()}`,
    ...[sentryPaths.api(), sentryPaths.repositories(), sentryPaths.chunkUpload()].map(url => `GET ${url}`),
    ...[sentryPaths.chunkUpload(), sentryPaths.assemble()].map(url => `POST ${url}`),
    ...sentryPaths.releaseOwners.flatMap(owner => [
      `POST ${sentryPaths.releases(owner)}`,
      `PUT ${sentryPaths.release(owner)}`,
      `GET ${sentryPaths.previousRelease(owner)}`,
      `POST ${sentryPaths.deploys(owner)}`,
    ]),
  ],
  dsn: sentryPaths.ingest().flatMap(url => [`OPTIONS ${url}`, `POST ${url}`]),
  'browser-origin': ['OPTIONS', 'POST'].map(method => `${method} ${paths.browser()}`),
}

async function createTestApp(t: Test) {
  const { build, store } = fakeContext()
  const { app, routes } = await createAppWithRoutes(
    fakeContext({
      config: readConfig({ SIXPANE_PASSWORD: 'correct horse battery' }),
      build: { ...build, assetsFolder: join(t.testdir({ assets: { 'entry.js': '' } }), 'assets') },
      store: { tokens: { ...store.tokens, has: async () => true } },
    }),
  )
  t.teardown(() => app.close())
  return { app, routes }
}

t.test('only the listed routes are accessible without the password', async t => {
  const { routes } = await createTestApp(t)
  for (const auth of ['none', 'token', 'dsn', 'browser-origin'] as const) {
    // Fastify adds a HEAD route to most GET routes.
    const found = routes
      .filter(route => route.auth === auth)
      .map(({ method, url }) => `${method === 'HEAD' ? 'GET' : method} ${url}`)
    t.same([...new Set(found)].toSorted(), declared[auth].toSorted(), auth)
  }
})

t.test('every route accepts only the credentials that it declares', async t => {
  const { app, routes } = await createTestApp(t)
  const isAuthenticated = async (method: string, url: string, headers: Record<string, string>) => {
    const response = await app.inject({ method: methodOf(method), url, headers })
    return response.statusCode !== 401
  }
  const unknown = ['GET', 'POST'].map(method => ({ method, url: '/nowhere', auth: 'password' }))
  for (const { method, url: pattern, auth } of [...routes, ...unknown]) {
    const url = pattern.replace('*', 'entry.js')
    const name = `${method} ${url}`
    t.equal(await isAuthenticated(method, url, {}), auth === 'none', `${name} without credentials`)
    const token = { authorization: 'Bearer sxp_token' }
    const acceptsToken = auth === 'none' || auth === 'token' || auth === 'dsn'
    t.equal(await isAuthenticated(method, url, token), acceptsToken, `${name} with a token`)
  }
})

function methodOf(method: string) {
  const found = (['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const).find(
    each => each === method,
  )
  if (found === undefined) throw new Error(`Unknown method ${method}`)
  return found
}
