import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { sentryPaths } from '../../../shared/paths.ts'
import { fakeContext } from '../../testing/fake-context.ts'
import { stubPlugins } from '../../testing/stub-plugins.ts'
import sentryReleases from './sentry-releases.ts'

const version = 'shop@1.2.3'
const owners = ['organizations/any', 'projects/any/shop']

function setUp(t: Test) {
  const app = Fastify()
  stubPlugins(app)
  app.register(sentryReleases, { context: fakeContext() })
  t.teardown(() => app.close())
  return async (method: 'GET' | 'POST' | 'PUT', url: string, payload?: object) => {
    const response = await app.inject({ method, url, ...(payload && { payload: JSON.stringify(payload) }) })
    return { status: response.statusCode, body: response.json() }
  }
}

t.test("responds to a build's requests at organization and project paths", async t => {
  const send = setUp(t)
  const release = { version, dateCreated: /^\d{4}-.*Z$/, projects: [] }
  t.match(await send('GET', sentryPaths.api()), { status: 200, body: { user: null } })
  t.same(await send('GET', sentryPaths.repositories('any')), { status: 200, body: [] })
  for (const owner of owners) {
    t.match(await send('POST', sentryPaths.releases(owner), { version, projects: ['shop'] }), {
      status: 201,
      body: release,
    })
    t.match(await send('PUT', sentryPaths.release(owner, version), { commits: [{ id: 'x'.repeat(2e6) }] }), {
      status: 200,
      body: release,
    })
    t.same(await send('GET', sentryPaths.previousRelease(owner, version)), { status: 200, body: {} })
    t.match(
      await send('POST', sentryPaths.deploys(owner, version), { environment: 'production', name: null }),
      {
        status: 201,
        body: { id: '0', environment: 'production', name: null, url: null, dateStarted: null },
      },
    )
  }
})

t.test('rejects incomplete requests', async t => {
  const send = setUp(t)
  for (const owner of owners) {
    t.match(await send('POST', sentryPaths.releases(owner), {}), {
      status: 400,
      body: { message: 'The body needs a `version`' },
    })
    t.match(await send('POST', sentryPaths.deploys(owner, version), {}), {
      status: 400,
      body: { message: 'The body needs an `environment`' },
    })
  }
})
