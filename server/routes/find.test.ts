import Fastify from 'fastify'
import t from 'tap'
import { paths } from '../../shared/paths.ts'
import { aFailure } from '../../shared/testing/a-failure.ts'
import { noCounts } from '../store/common/failure-list.ts'
import type { Store } from '../store/store.ts'
import { fakeContext } from '../testing/fake-context.ts'
import { stubPlugins } from '../testing/stub-plugins.ts'
import find from './find.ts'

const failure = aFailure({
  message: 'x'.repeat(1000),
  digests: ['2338471', '2338471@E1'],
  digestCount: 2,
  services: ['shop', 'pay'],
  serviceCount: 2,
})

async function requestFind(store: Partial<Store>) {
  const app = Fastify()
  stubPlugins(app)
  app.register(find, { context: fakeContext({ store }) })
  const response = await app.inject(paths.find())
  await app.close()
  return response
}

t.test('lists services, failures and saved searches with their links', async t => {
  const response = await requestFind({
    savedSearches: {
      list: async () => [{ id: '1', name: 'Slow payments', view: 'q=duration%3A%3E1000', createdMs: 0 }],
      save: async () => {},
      remove: async () => {},
    },
    seenSources: async () => [
      { service: 'sixpane', source: 'own', firstSeenMs: 0, lastSeenMs: 4 },
      { service: 'quiet one', source: 'ndjson', firstSeenMs: 0, lastSeenMs: 1 },
      { service: 'shop', source: 'ndjson', firstSeenMs: 0, lastSeenMs: 2 },
      { service: 'shop', source: 'otlp', firstSeenMs: 0, lastSeenMs: 3 },
    ],
    failures: async () => ({ failures: [failure], counts: noCounts(), services: [] }),
  })
  t.equal(response.statusCode, 200)
  t.equal(response.headers['cache-control'], 'no-store')
  t.match(response.json(), [
    { kind: 'saved', label: 'Slow payments', href: '/activities?q=duration%3A%3E1000' },
    { kind: 'service', label: 'shop', hint: 'log', href: '/activities?q=service:shop' },
    { kind: 'service', label: 'shop', hint: 'metrics', href: '/dashboard?service=shop' },
    { kind: 'service', label: 'quiet one', href: '/activities?q=service:%22quiet+one%22' },
    { kind: 'service', label: 'quiet one' },
    { kind: 'service', label: 'sixpane' },
    { kind: 'service', label: 'sixpane' },
    {
      kind: 'failure',
      label: /^TypeError: x{149}$/,
      hint: 'shop, pay',
      searchText: 'a41c09be72 2338471 2338471@E1',
      href: '/development?failure=a41c09be72',
    },
  ])
})

t.test('limits the number of services', async t => {
  const seenSources: Store['seenSources'] = async () =>
    Array.from({ length: 5000 }, (_, index) => ({
      service: `s${index}`,
      source: 'otlp',
      firstSeenMs: 0,
      lastSeenMs: index,
    }))
  const all = (await requestFind({ seenSources })).json()
  t.equal(all.length, 400)
  t.match(all[0], { label: 's4999' })
})

t.test('responds with an error if the store fails', async t => {
  const response = await requestFind({
    seenSources: async () => {
      throw new Error('The disk is gone')
    },
  })
  t.equal(response.statusCode, 500)
})
