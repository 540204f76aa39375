import { join } from 'node:path'
import t from 'tap'
import { paths } from '../../shared/paths.ts'
import { screenIds, screens } from '../../shared/screens.ts'
import { createApp } from '../app.ts'
import { readConfig } from '../settings/config.ts'
import { fakeContext } from '../testing/fake-context.ts'

const open = [paths.livez(), paths.readyz(), paths.lokiReady()].map(url => `GET ${url}`)
const withToken = [
  ...[paths.ingest(), paths.otlpLogs(), paths.otlpTraces(), paths.lokiPush()].map(url => `POST ${url}`),
  `PUT ${paths.sourceMaps()}`,
]
const withPassword = [
  ...screenIds.flatMap(id => [`GET ${screens[id].path}`, `POST ${screens[id].path}`]),
  ...[paths.live(), paths.find(), paths.export(), paths.complete(), paths.asset('entry.js')].map(
    url => `GET ${url}`,
  ),
  ...[paths.browser(), paths.report(), '/nowhere'].map(url => `POST ${url}`),
]

t.test('every route accepts only the credentials that it declares', async t => {
  const { build, store } = fakeContext()
  const app = await createApp(
    fakeContext({
      config: readConfig({ SIXPANE_PASSWORD: 'correct horse battery' }),
      build: { ...build, assetsFolder: join(t.testdir({ assets: { 'entry.js': '' } }), 'assets') },
      store: { tokens: { ...store.tokens, has: async () => true } },
    }),
  )
  t.teardown(() => app.close())
  const isAuthenticated = async (route: string, headers: Record<string, string>) => {
    const [method, url] = route.split(' ')
    const { statusCode } = await app.inject({
      method: method === 'PUT' ? 'PUT' : method === 'GET' ? 'GET' : 'POST',
      url: url ?? '',
      headers,
    })
    return statusCode !== 401
  }
  for (const route of [...open, ...withToken, ...withPassword]) {
    t.equal(await isAuthenticated(route, {}), open.includes(route), `${route} without credentials`)
    const token = { authorization: 'Bearer sxp_token' }
    t.equal(await isAuthenticated(route, token), !withPassword.includes(route), `${route} with a token`)
  }
})
