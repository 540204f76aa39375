import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { createClean } from '../events/clean.ts'
import { createNormalise } from '../events/normalise.ts'
import errors from '../render/error-handler.ts'
import { readConfig } from '../settings/config.ts'
import { StoreUnavailableError } from '../store/store.ts'
import { fakeContext } from '../testing/fake-context.ts'
import { stubPlugins } from '../testing/stub-plugins.ts'
import ingest from './http-endpoints.ts'
import { requestsOfAllProtocols } from './testing.ts'

const origin = 'https://shop.example'

/** Starts all endpoints with a queue that has the given `accept` function, and with a short deadline. */
async function start(t: Test, accept: () => Promise<void>) {
  const fake = fakeContext()
  const context = fakeContext({
    config: { ...readConfig({ SIXPANE_BROWSER_ORIGINS: origin }), storeDeadlineMs: 20 },
    normalise: createNormalise(createClean([]), fake.failures),
    events: { ...fake.events, accept },
  })
  const app = Fastify()
  stubPlugins(app)
  app.register(errors, { context })
  app.register(ingest, { context })
  t.teardown(() => app.close())
  return (url: string, body: object | string, headers: Record<string, string> = {}) =>
    app.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json', ...headers },
      payload: typeof body === 'string' ? body : JSON.stringify(body),
    })
}

t.test(
  'each protocol asks the client to retry a request that the store does not confirm in time',
  async t => {
    let late = () => {}
    const post = await start(
      t,
      () => new Promise((_resolve, reject) => (late = () => reject(new Error('late')))),
    )
    for (const [name, [url, body, headers]] of requestsOfAllProtocols(origin)) {
      const response = await post(url, body, headers)
      t.equal(response.statusCode, 503, `${name}: ${response.body}`)
      t.equal(response.headers['retry-after'], '5', name)
      t.match(response.body, 'not stored yet', name)
      late()
    }
  },
)

t.test(
  'each protocol asks the client to retry a request that the store rejects, without revealing the cause',
  async t => {
    const post = await start(t, () => Promise.reject(new StoreUnavailableError('ClickHouse at db.example …')))
    for (const [name, [url, body, headers]] of requestsOfAllProtocols(origin)) {
      const response = await post(url, body, headers)
      t.equal(response.statusCode, 503, `${name}: ${response.body}`)
      t.equal(response.headers['retry-after'], '5', name)
      t.notMatch(response.body, 'db.example', name)
    }
  },
)
