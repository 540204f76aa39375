import t from 'tap'
import { addressOf, startClickHouse } from '../../../../scripts/test/clickhouse.ts'
import type { NewEvent } from '../../../../shared/event.ts'
import { fieldEquals, type Query } from '../../../../shared/query.ts'
import type { Window } from '../../../../shared/range.ts'
import { createRandom } from '../../../testing/random.ts'
import { anEvent, noonMs } from '../../conformance/testing.ts'
import { openMemoryStore } from '../../memory/store.ts'
import type { EventQueries, Store } from '../../store.ts'
import { openClickHouseStore } from '../store.ts'

const server = await startClickHouse(t)
const [minuteMs, hourMs] = [60_000, 3_600_000]
const build = { service: 'shop', release: '1' }

function addressFor(name: string) {
  return addressOf(server, `memory_${name}_${process.pid}`)
}

const windows: readonly { window: Window; bucketMs: number }[] = [
  { window: { fromMs: noonMs - hourMs, toMs: noonMs + 1 }, bucketMs: minuteMs },
  { window: { fromMs: noonMs - 30 * hourMs, toMs: noonMs - 12.5 * minuteMs }, bucketMs: 30 * minuteMs },
  { window: { fromMs: noonMs - 27 * hourMs + 91.5, toMs: noonMs + 91.5 }, bucketMs: 48 * minuteMs },
  { window: { fromMs: -hourMs, toMs: noonMs }, bucketMs: 1e12 },
]
const text: Query = { kind: 'text', text: 'declined' }
const declinedErrors: Query = { kind: 'and', left: text, right: fieldEquals('severity', 'error') }
const fields = ['service', 'route', 'status', 'release', 'severity'] as const
const series = [
  { path: 'process.rssBytes', aggregate: 'highest' },
  { path: 'process.cpuRatio', aggregate: 'mean' },
] as const

async function resultsOf(store: EventQueries): Promise<unknown[]> {
  const results: unknown[] = []
  for (const { window, bucketMs } of windows) {
    const query = {
      window,
      bucketMs,
      sort: 'frequent',
      state: null,
      text: null,
      service: null,
      limit: 10,
    } as const
    results.push(
      await store.services(window, bucketMs),
      await store.requestSeries({ window, service: null }, bucketMs),
      await store.routeMetrics({ window, service: 'shop' }, 100),
      await store.failures(query),
      await store.failureReleases('f1'),
      await store.attributeSeries({ window, query: { kind: 'all' } }, series, bucketMs),
      await store.counts({ window, query: declinedErrors, wider: text }, bucketMs, fields, 2),
      await store.histogram({ window, query: text }, bucketMs),
      await store.facets({ window, query: text }, fields, 10),
    )
  }
  return results
}

t.test('includes the events that replicas store while pages are requested', async t => {
  const address = addressFor('replicas')
  const [store, other, expected] = [
    await openClickHouseStore(address),
    await openClickHouseStore(address),
    openMemoryStore(),
  ]
  t.teardown(() => Promise.all([store.close(), other.close()]))
  const random = createRandom(5)
  const pick = <Value>(...values: readonly [Value, ...Value[]]): Value =>
    values[Math.floor(random() * values.length)] ?? values[0]
  const newEvent = (): NewEvent => {
    const isFailure = random() < 0.2
    const fingerprint = isFailure ? pick('f1', 'f2') : null
    return anEvent({
      // Most events are new, and some are late.
      timeMs: Math.round((noonMs - (random() < 0.7 ? minuteMs : 30 * hourMs) * random()) * 1000) / 1000,
      service: pick('shop', 'search', 'Search'),
      severity: pick('info', 'error'),
      body: pick('Card declined', 'Done'),
      release: pick('1', '2', null),
      route: pick('/', '/cart', null),
      method: pick('GET', null),
      status: pick(200, 500, null),
      durationMs: pick(1, 20, 300),
      fingerprint,
      exception: isFailure
        ? { type: 'Error', message: 'No price', stack: 'Error: No price\n  at f (a.js:1:2)' }
        : null,
      attributes: pick({}, { process: { rssBytes: Math.floor(random() * 100), cpuRatio: 0.5 } }),
    })
  }
  const storeIn = async (target: Store, count: number) => {
    const events = Array.from({ length: count }, newEvent)
    // At the same time, because pages may be requested while events are stored.
    await Promise.all([
      target.append(events),
      store.services({ fromMs: noonMs - hourMs, toMs: noonMs }, hourMs),
    ])
    await expected.append(events)
    await store.replicas.refresh()
  }
  // A batch with more than 100 events is not added from memory.
  for (const [target, count] of [
    [store, 20],
    [other, 5],
    [store, 150],
    [store, 3],
    [other, 120],
    [other, 1],
    [store, 1],
  ] as const) {
    await storeIn(target, count)
    t.same(await resultsOf(store), await resultsOf(expected), `after ${count} events`)
  }

  const [visible, expectedVisible] = [store, expected].map(each => each.limitedTo(['shop']))
  if (visible === undefined || expectedVisible === undefined) throw new Error('Expected two stores')
  t.same(await resultsOf(visible), await resultsOf(expectedVisible), 'with access to one service')

  t.test('and changes and deletions by another replica', async t => {
    const changes = async (target: Store) => {
      const [stack] = await target.storedStacks([build], 10)
      return [{ key: stack?.key ?? '', fingerprint: 'f9' }]
    }
    t.ok((await other.regroup([build], await changes(other))) > 0)
    await expected.regroup([build], await changes(expected))
    await store.replicas.refresh()
    t.same(await resultsOf(store), await resultsOf(expected), 'after other fingerprints were assigned')
    const limits = { maxAgeMs: 2 * hourMs, maxBytes: 1e12 }
    t.ok((await other.retain(limits, noonMs)) > 0)
    await expected.retain(limits, noonMs)
    await store.replicas.refresh()
    t.same(await resultsOf(store), await resultsOf(expected), 'after old events were deleted')
  })
})

t.test('caches nothing if events have too many groups, and still returns correct results', async t => {
  const store = await openClickHouseStore(addressFor('groups'))
  t.teardown(store.close)
  const window = { fromMs: noonMs - hourMs, toMs: noonMs }
  const requests = async () => (await store.requestSeries({ window, service: null }, minuteMs)).total.requests
  const eventsWithIds = (count: number, prefix: string) =>
    Array.from({ length: count }, (_, index) =>
      anEvent({ timeMs: noonMs - minuteMs, status: 200, durationMs: 1, route: `/${prefix}/${index}` }),
    )
  await store.append(eventsWithIds(20_001, 'orders'))
  t.equal(await requests(), 20_001)
  await store.append(eventsWithIds(1, 'users'))
  t.equal(await requests(), 20_002)
})
