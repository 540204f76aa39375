import t from 'tap'
import { addressOf, databasesOf, hasCluster, startCluster } from '../../../scripts/test/clickhouse.ts'
import { append } from '../conformance/append.ts'
import { failures } from '../conformance/failures.ts'
import { regroup } from '../conformance/regroup.ts'
import { retention } from '../conformance/retention.ts'
import { allEvents, anEvent, noonMs, testWindow } from '../conformance/testing.ts'
import { openClickHouseStore } from './store.ts'

const server = await startCluster(t, 'one')
const make = databasesOf(server)
const skip = !hasCluster()

// These tests write to the distributed table. `npm run test:clickhouse` runs all event and failure tests with such a table.
t.test('appends to a distributed table', { skip }, t => append(t, make))
t.test('finds failures in a distributed table', { skip }, t => failures(t, make))
t.test('changes fingerprints in a distributed table', { skip }, t => regroup(t, make))
t.test('deletes events from a distributed table', { skip }, t => retention(t, make))

const isOwnServer = process.env.CLICKHOUSE_URL === undefined

t.test('queries with subqueries and groups read all shards', { skip: !isOwnServer }, async t => {
  // Both shards are the same server, so everything is counted twice.
  const twoShards = await startCluster(t, 'two')
  const address = addressOf(twoShards, 'shards')
  const store = await openClickHouseStore(address, { nowMs: () => noonMs })
  t.teardown(store.close)
  const fingerprint = '0123456789'
  const exception = { type: 'Error', message: 'Oops', stack: null }
  const event = anEvent({ fingerprint, exception, release: '1', status: 500, durationMs: 5, traceId: 'ab' })
  t.same(await store.claimRequests(['key']), ['new'])
  const [stored] = await store.append([event], ['key'])
  t.same(await store.claimRequests(['key']), ['stored'])

  const filter = { window: testWindow, query: allEvents }
  const service = { window: testWindow, service: event.service }
  t.equal((await store.events({ ...filter, limit: 10 })).events.length, 2)
  t.equal((await store.event(stored?.id ?? 0))?.fingerprint, fingerprint)
  const { histogram, facets } = await store.counts(filter, 3_600_000, ['severity'], 10)
  t.equal(
    histogram.reduce((sum, { counts }) => sum + counts[event.severity], 0),
    2,
  )
  t.match(facets, [{ field: 'severity', values: [{ count: 2 }] }])
  t.match(await store.services(testWindow, 3_600_000), [{ events: 2, failures: 2, release: '1' }])
  t.match(await store.routeMetrics(service, 10), [{ requests: 2 }])
  const found = await store.failures({
    window: testWindow,
    bucketMs: 3_600_000,
    service: null,
    state: null,
    sort: 'newest',
    text: null,
    limit: 10,
  })
  t.match(found.failures, [{ id: fingerprint, count: 2 }])
  t.match(await store.failureReleases(fingerprint), { releases: [{ release: '1', count: 2 }], omitted: 0 })
  t.match(await store.failureImpact(fingerprint), { occurrences: 2, requests: 1 })
  t.match(await store.releases([event.service]), [{ release: '1' }])
  t.equal(await store.retain({ maxAgeMs: 1, maxBytes: 1e12 }, noonMs + 1000), 2)
})
