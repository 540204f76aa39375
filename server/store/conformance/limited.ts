import type { Test } from 'tap'
import type { NewEvent } from '../../../shared/event.ts'
import { failureSorts } from '../../../shared/failure.ts'
import { fieldEquals, type Query } from '../../../shared/query.ts'
import { idAt } from '../common/time.ts'
import { facetFields } from '../event-store.ts'
import type { EventQueries, Store } from '../store.ts'
import { allEvents, anEvent, type MakeLocation, noonMs, openStore, testWindow } from './testing.ts'

const minuteMs = 60_000
/** Access to `shop` does not include `Shop`, although searches ignore case. */
const visible = ['shop', 'cart']
const services = [...visible, 'secret', 'Shop']

/** Every service has all kinds of events. The services share a failure, a digest, a release, routes and traces. */
const batches: NewEvent[][] = services.map((service, index) => {
  const at = { service, timeMs: noonMs - index * minuteMs - 40 * minuteMs, traceId: `trace-${index % 2}` }
  const exception = { type: `Error of ${service}`, message: `${service} failed`, stack: null }
  const failed = { ...at, severity: 'error', exception, status: 500, durationMs: 30, route: '/pay' } as const
  return [
    anEvent({
      ...at,
      body: `${service} opened`,
      release: `1.${index}`,
      attributes: { n: index, of: service },
    }),
    anEvent({
      ...at,
      timeMs: at.timeMs + 1,
      release: '2.0',
      method: 'GET',
      status: 200,
      durationMs: 7 + index,
    }),
    anEvent({ ...failed, fingerprint: 'shared0001', digest: '2338471', release: '2.0', requestId: service }),
    anEvent({
      ...failed,
      timeMs: at.timeMs + 5,
      fingerprint: `own000000${index}`,
      digest: `digest-${index}`,
      attributes: { user: { id: service } },
    }),
    anEvent({ ...at, source: 'browser', route: '/', attributes: { vital: { name: 'LCP', value: index } } }),
    anEvent({
      ...at,
      source: 'sentry',
      release: '2.0',
      attributes: { sessions: { started: 3, crashed: 1 } },
    }),
  ]
})

const events = batches.flat()

/** The events of each service are accepted in a separate millisecond, so that their ids are the same in every store. */
function acceptedAt(batch: number): number {
  return noonMs + batch
}

const ids = batches.flatMap((batch, index) => batch.map((_, position) => idAt(acceptedAt(index)) + position))

const searches: Query[] = [
  allEvents,
  { kind: 'text', text: 'secret' },
  { kind: 'text', text: 'opened' },
  { kind: 'not', query: fieldEquals('service', 'shop') },
  { kind: 'or', left: fieldEquals('service', 'secret'), right: fieldEquals('service', 'shop') },
  fieldEquals('failure', 'shared0001'),
  { kind: 'attribute', path: 'of', comparison: '=', value: '*e*' },
  { kind: 'exists', field: 'digest' },
]

/** The results of all queries. */
async function readAll(store: EventQueries) {
  const window = testWindow
  const filters = searches.map(query => ({ window, query }))
  const requests = [null, ...services].map(service => ({ window, service }))
  const bucketMs = 10 * minuteMs
  const failures = { window, bucketMs, state: null, service: null, text: null, limit: 20 }
  const fingerprints = ['shared0001', ...services.map((_, index) => `own000000${index}`)]
  return Promise.all([
    ...filters.flatMap(filter => [
      store.events({ ...filter, limit: 4, attributes: ['of'] }),
      store.wholeEvents({ ...filter, limit: 100 }),
      store.since('0', { query: filter.query, limit: 3 }).then(({ events, missed }) => ({ events, missed })),
      store.histogram(filter, bucketMs),
      store.facets(filter, facetFields, 10),
      store.attributeFacet(filter, 'of', 10),
      store.counts(filter, bucketMs, facetFields, 10),
      store.attributeSeries(filter, [{ path: 'n', aggregate: 'sum' }], bucketMs),
    ]),
    ...requests.flatMap(filter => [
      store.requestSeries(filter, bucketMs),
      store.routeMetrics(filter, 10),
      store.webVitals(filter, bucketMs, 10),
      store.sessions(filter, 10),
      store.releaseStarts(filter),
      store.requestSeries({ ...filter, except: 'shop' }, bucketMs),
    ]),
    ...ids.map(id => store.event(id)),
    store.services(window, bucketMs),
    store.seenSources(),
    store.releases(services),
    ...failureSorts.map(sort => store.failures({ ...failures, sort })),
    store.failures({ ...failures, sort: 'newest', text: 'secret' }),
    store.failures({ ...failures, sort: 'newest', service: 'secret' }),
    store.failureCounts(window),
    ...fingerprints.flatMap(id => [
      store.failure(id, bucketMs, window),
      store.failureServices(id),
      store.failureReleases(id),
      store.failureImpact(id),
    ]),
    ...['2338471', ...services.map((_, index) => `digest-${index}`)].map(digest =>
      store.failuresOfDigest(digest),
    ),
  ])
}

/** Tests queries for users who may see only some services. */
export async function limited(t: Test, make: MakeLocation): Promise<void> {
  /** Runs a subtest, because a test has only one location for a store. */
  const withStore = async <Result>(t: Test, name: string, run: (t: Test) => Promise<Result>) => {
    let result: Result | undefined
    await t.test(name, async t => {
      result = await run(t)
    })
    return result
  }

  const filled = async (t: Test, included: readonly string[]): Promise<Store> => {
    let nowMs = noonMs
    const store = await openStore(t, make, () => nowMs)
    for (const [index, batch] of batches.entries()) {
      nowMs = acceptedAt(index)
      if (!included.includes(services[index] ?? '')) continue
      const stored = await store.append(batch)
      t.ok(stored.every(({ id }) => ids.includes(id)))
    }
    return store
  }

  await t.test('limited queries return the same results as if no other services existed', async t => {
    const shown = await withStore(t, 'all events', async t => {
      const store = await filled(t, services)
      t.equal((await store.stats()).events, events.length)
      const limited = store.limitedTo(visible)
      const first = await readAll(limited)
      t.strictSame(await readAll(limited), first, 'again, from caches')
      return first
    })
    const expected = await withStore(t, 'only the visible events', async t =>
      readAll(await filled(t, visible)),
    )
    t.strictSame(shown, expected)
    t.notMatch(JSON.stringify(shown), /secret|Shop/)
  })

  await t.test('a store with the events of all services', async t => {
    const all = await filled(t, services)
    await t.test('a user with access to no service sees no events', async t => {
      const { events } = await all.limitedTo([]).events({ window: testWindow, query: allEvents, limit: 100 })
      t.strictSame(events, [])
      t.strictSame(await all.limitedTo([]).services(testWindow, minuteMs), [])
    })

    await t.test('a limited query includes new events, but not those of other services', async t => {
      const shop = all.limitedTo(['shop'])
      const count = async () => (await shop.failure('shared0001', minuteMs, testWindow))?.count
      t.equal(await count(), 1)
      await all.append(events.filter(({ fingerprint }) => fingerprint === 'shared0001'))
      t.equal(await count(), 2)
    })
  })
}
