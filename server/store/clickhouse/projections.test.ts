import { readFile } from 'node:fs/promises'
import t from 'tap'
import { addressOf, startClickHouse } from '../../../scripts/test/clickhouse.ts'
import { type NewEvent, redacted } from '../../../shared/event.ts'
import { fieldEquals, type Query } from '../../../shared/query.ts'
import type { Window } from '../../../shared/range.ts'
import { createRandom } from '../../testing/random.ts'
import { failure, failureCounts, failures } from '../common/metrics/failures.ts'
import { createGroupList } from '../common/metrics/group-list.ts'
import { requestSeries } from '../common/metrics/request-series.ts'
import { routeMetrics } from '../common/metrics/route-metrics.ts'
import { services } from '../common/metrics/services.ts'
import { type Row, text } from '../common/rows.ts'
import { name, raw, type Sql, sql } from '../common/sql.ts'
import { allEvents, anEvent, noonMs } from '../conformance/testing.ts'
import type { RequestFilter } from '../event-store.ts'
import type { FailureQuery } from '../failure-store.ts'
import { openMemoryStore } from '../memory/store.ts'
import { failureIndexOf } from '../state/failure-ids.ts'
import { emptyState } from '../state/state.ts'
import type { EventQueries, Store } from '../store.ts'
import { activityGrains } from './cache/activity-grains.ts'
import type { EventCache } from './cache/event-cache.ts'
import { byRoute, byService, requestGrains } from './cache/request-grains.ts'
import { type Connection, connect } from './engine/connection.ts'
import type { ServerAddress } from './engine/server-address.ts'
import { counts } from './events/counts.ts'
import { eventReader } from './events/event-reader.ts'
import { routeRequests } from './events/requests.ts'
import { createServiceTimes } from './events/service-times.ts'
import { describeFailures } from './failures/describe-failures.ts'
import { failureReader } from './failures/failure-reader.ts'
import { failureImpact, failureReleases, failureServices } from './failures/failures.ts'
import { failuresOfDigest } from './failures/failures-of-digest.ts'
import { allEvents as fromAllEvents, type Source } from './sql/source.ts'
import { openClickHouseStore } from './store.ts'

const [minuteMs, hourMs] = [60_000, 3_600_000]
const server = await startClickHouse(t)
let databases = 0

function newAddress(): ServerAddress {
  databases += 1
  const address = addressOf(server, `projections_${process.pid}_${databases}`)
  return address
}

/** Requests, errors and failures, unevenly distributed over two days. */
function someEvents(count: number): NewEvent[] {
  const random = createRandom(11)
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)]
  return Array.from({ length: count }, () => {
    const fault = random() < 0.1 ? Math.floor(random() * 5) : null
    const exception = { type: 'TypeError', message: `Fault ${fault}`, stack: null }
    const isRequest = random() < 0.8
    return anEvent({
      // Rounded to microseconds, like stored times.
      timeMs: Math.round((noonMs - 48 * hourMs * random() ** 2) * 1000) / 1000,
      severity: fault === null ? (pick(['info', 'warn', 'debug'] as const) ?? 'info') : 'error',
      service: `service-${pick([1, 2, 3])}`,
      release: pick(['1', '2', null]) ?? null,
      source: pick(['ndjson', 'browser', 'otlp']) ?? 'ndjson',
      route: pick(['/cart', '/pay', null]) ?? null,
      method: pick(['GET', 'POST', null]) ?? null,
      status: isRequest ? (pick([200, 404, 500]) ?? 200) : null,
      durationMs: isRequest
        ? (pick([0, 0.0001, 0.1, 0.15, 1, 10, 100_000, 2e9, random() * 1000]) ?? 1)
        : null,
      requestId: pick(['r1', 'r2', null]) ?? null,
      traceId: pick(['t1', null]) ?? null,
      attributes: pick([{ user: { id: 'a' } }, { 'enduser.id': 7 }, { userId: redacted }, {}]) ?? {},
      ...(fault !== null && { exception, fingerprint: `000000000${fault}`, digest: String(fault) }),
    })
  })
}

/** Windows that begin and end at grain boundaries, or between them. */
const allWindows: readonly { window: Window; bucketMs: number }[] = [
  { window: { fromMs: noonMs - 24 * hourMs, toMs: noonMs }, bucketMs: 30 * minuteMs },
  { window: { fromMs: noonMs - 45 * hourMs, toMs: noonMs - 1234.567 }, bucketMs: 3 * hourMs },
  { window: { fromMs: noonMs - 24 * hourMs + 91.5, toMs: noonMs + 91.5 }, bucketMs: 48 * minuteMs },
  { window: { fromMs: noonMs - 7 * minuteMs, toMs: noonMs }, bucketMs: minuteMs },
  { window: { fromMs: -hourMs, toMs: noonMs }, bucketMs: 1e12 },
  { window: { fromMs: noonMs, toMs: noonMs }, bucketMs: minuteMs },
]

const openFailures: Query = { kind: 'not', query: fieldEquals('failure', 'muted') }
const searches: readonly Query[] = [
  allEvents,
  { kind: 'and', left: fieldEquals('service', 'service-1'), right: openFailures },
  { kind: 'exists', field: 'fingerprint' },
  { kind: 'field', field: 'route', comparison: '=', value: '/c*' },
  { kind: 'between', field: 'status', from: 400, to: 499 },
  { kind: 'or', left: fieldEquals('severity', 'warn'), right: fieldEquals('message', 'Basket opened') },
]

/** As if the events did not fit into memory. */
const noCache: EventCache = {
  activity: async () => null,
  requests: async () => null,
  samples: async () => null,
  searchCounts: async () => null,
  failureVersion: async () => 0,
  add() {},
  addUnknown() {},
  clear() {},
}

function sourceOf(select: (query: Sql) => Promise<Row[]>): Source {
  return {
    events: fromAllEvents,
    services: null,
    signal: undefined,
    serviceTimes: createServiceTimes({ select, newest: { foreignChanges: () => 0 } }).read,
    read: async work => work(emptyState()),
    cache: noCache,
    select,
    selectOfFailures: select,
  }
}

async function resultsOf(
  store: EventQueries & Pick<Store, 'seenSources'>,
  windows: readonly { window: Window; bucketMs: number }[],
): Promise<unknown[]> {
  const results: unknown[] = [
    await store.seenSources(),
    await store.releases(['service-1', 'service-3']),
    await store.failureServices('0000000003'),
    (await store.failureReleases('0000000003')).releases,
    await store.failureImpact('0000000003'),
    await store.failuresOfDigest('3'),
  ]
  for (const { window, bucketMs } of windows) {
    const list = { window, bucketMs, sort: 'frequent', state: null, text: null, limit: 10 } as const
    results.push(
      await store.services(window, bucketMs),
      await store.requestSeries({ window, service: null }, bucketMs),
      await store.routeMetrics({ window, service: null, except: 'service-2' }, 100),
      await store.releaseStarts({ window, service: 'service-1' }),
      await store.failures({ ...list, service: null }),
      await store.failures({ ...list, service: 'service-1' }),
      await store.failureCounts(window),
      await store.failure('0000000003', bucketMs, window),
    )
    for (const query of searches)
      results.push(await store.counts({ window, query }, bucketMs, ['route', 'status', 'release'], 10))
  }
  return results
}

t.test('projections and events give the same results as the in-memory engine', async t => {
  const address = newAddress()
  const [store, memory] = [await openClickHouseStore(address), openMemoryStore()]
  t.teardown(store.close)
  const events = someEvents(3000)
  for (let index = 0; index < events.length; index += 1000) {
    await store.append(events.slice(index, index + 1000))
    await memory.append(events.slice(index, index + 1000))
  }
  const expected = await resultsOf(memory, allWindows)
  t.same(await resultsOf(store, allWindows), expected)
  t.same(await resultsOf(store, allWindows), expected, 'again, from memory')
  const connection = connect(address)
  t.teardown(connection.close)
  const source = sourceOf(query => connection.select(query))
  const queried = {
    ...store,
    services: (window: Window, bucketMs: number) => services(eventReader(source), window, bucketMs),
    requestSeries: (filter: RequestFilter, bucketMs: number) =>
      requestSeries(eventReader(source), filter, bucketMs),
    routeMetrics: async (filter: RequestFilter, limit: number) =>
      routeMetrics(await routeRequests(source, filter), limit),
    failures: (query: FailureQuery) => failures(failureReader(source), query),
    failureCounts: (window: Window) => failureCounts(eventReader(source), window),
    failure: (id: string, bucketMs: number, window: Window) =>
      failure(failureReader(source), id, { bucketMs, window }),
  }
  t.same(await resultsOf(queried, allWindows), expected, 'if the events do not fit into memory')
  const [visible, inMemory] = [store.limitedTo(['service-2']), memory.limitedTo(['service-2'])]
  // Only the condition on the service differs, so two windows are enough.
  const windows = allWindows.slice(0, 2)
  t.same(await resultsOf(visible, windows), await resultsOf(inMemory, windows), 'with access to one service')
})

t.test('page queries read projections', async t => {
  const address = newAddress()
  const store = await openClickHouseStore(address)
  t.teardown(store.close)
  await store.append(someEvents(30_000).map(event => ({ ...event, durationMs: 12 })))
  const connection = connect(address)
  t.teardown(connection.close)

  const read = async (run: (source: Source) => Promise<unknown>) => {
    const lines: string[] = []
    const select = async (query: Sql) => {
      for (const row of await connection.select(sql`EXPLAIN ${query}`)) lines.push(text(row.explain))
      return []
    }
    await run(sourceOf(select))
    // No events are read, because the window begins and ends at grain boundaries.
    const parts = lines.join('\n').matchAll(/ReadFromMergeTree \((.*)\)\n.*Read type.*\n.*Granules: [1-9]/g)
    return [...new Set([...parts].map(([, name]) => name))].sort()
  }
  const window = { fromMs: noonMs - 48 * hourMs, toMs: noonMs }
  const filter = { window, service: null }
  t.same(await read(source => services(eventReader(source), window, 3 * hourMs)), ['service_activity'])
  t.same(await read(source => requestSeries(eventReader(source), filter, 3 * hourMs)), ['service_activity'])
  t.same(await read(source => routeRequests(source, filter)), ['route_durations'])
  t.same(await read(source => failureCounts(eventReader(source), window)), ['service_activity'])
  t.same(await read(source => counts(source, { window, query: allEvents }, hourMs, ['route'], 9)), [
    'event_counts',
  ])
  const hour = Math.floor(noonMs / hourMs)
  t.same(await read(source => activityGrains(source, createGroupList(String)).read(2 * hour - 4, 2 * hour)), [
    'service_activity',
  ])
  for (const grouping of [...byService, ...byRoute]) {
    const end = Math.floor((noonMs * 1000) / grouping.grainUs)
    t.same(await read(source => requestGrains(source, grouping).read(end - 1, end)), [
      grouping.projection ?? `${address.database}.event`,
    ])
  }
  const listed = { id: '0000000001', count: 1, newestUs: 0, sparkline: [1] }
  const describe = (source: Source) =>
    describeFailures(source, failureIndexOf(emptyState()), [listed], { cutsMessages: true })
  t.same(await read(describe), ['failures'])
  t.same(await read(source => failureServices(source, '0000000001')), ['failures'])
  t.same(await read(source => failureReleases(source, '0000000001')), ['failures'])
  t.same(await read(source => failuresOfDigest(source, '1')), ['failures'])
  // `failureImpact` expects a row, and `EXPLAIN` returns none.
  const impact = (source: Source) => t.rejects(failureImpact(source, '0000000001'), TypeError)
  t.same(await read(impact), ['occurrences'])
  t.same(await read(source => source.serviceTimes()), ['failures'])
})

t.test(
  'finds Web Vitals and sessions in long windows, and none in windows that begin after the last event',
  async t => {
    const [store, memory] = [await openClickHouseStore(newAddress()), openMemoryStore()]
    t.teardown(store.close)
    const timeMs = noonMs - 36 * hourMs
    const events = [
      anEvent({ timeMs, source: 'browser', attributes: { vital: { name: 'LCP', value: 1200 } } }),
      anEvent({ timeMs, source: 'sentry', attributes: { sessions: { started: 9, crashed: 1 } } }),
      anEvent({ source: 'own', service: 'sixpane', attributes: { vital: { name: 'LCP', value: 300 } } }),
    ]
    await store.append(events)
    await memory.append(events)
    for (const hours of [48, 24]) {
      const window = { fromMs: noonMs - hours * hourMs, toMs: noonMs + hourMs }
      for (const service of [{ service: null }, { service: null, except: 'sixpane' }, { service: 'shop' }]) {
        const filter = { window, ...service }
        t.same(await store.webVitals(filter, hourMs, 10), await memory.webVitals(filter, hourMs, 10))
        t.same(await store.sessions(filter, 10), await memory.sessions(filter, 10))
      }
    }
    const all = { window: { fromMs: timeMs, toMs: noonMs }, service: null }
    t.equal((await store.webVitals(all, hourMs, 10)).length, 1)
    t.match(await store.sessions(all, 10), [{ started: 9, crashed: 1 }])
  },
)

t.test(
  'finds sessions from a source that sent nothing before, also if another replica stored them',
  async t => {
    const address = newAddress()
    const [store, other] = await Promise.all([openClickHouseStore(address), openClickHouseStore(address)])
    t.teardown(() => Promise.all([store.close(), other.close()]))
    const filter = { window: { fromMs: noonMs - hourMs, toMs: noonMs + hourMs }, service: null }
    const sent = (release: string) =>
      anEvent({ source: 'sentry', release, attributes: { sessions: { started: 1, crashed: 0 } } })
    const found = async () => (await store.sessions(filter, 10)).map(({ release }) => release).sort()

    await store.append([anEvent()])
    t.same(await found(), [])
    await store.append([sent('1')])
    t.same(await found(), ['1'])
    await other.append([sent('2')])
    await store.replicas.refresh()
    t.same(await found(), ['1', '2'])
  },
)

let created: Awaited<ReturnType<typeof describeNewTables>> | undefined

for (const version of [1, 2, 3, 4, 5, 6, 7]) {
  t.test(
    `a database with schema version ${version} gets the columns, indexes, projections and settings of a new one`,
    async t => {
      const address = newAddress()
      const { execute, close } = connect({ ...address, database: 'default' })
      await execute(sql`CREATE DATABASE ${name(address.database)}`).finally(close)
      const connection = connect(address)
      t.teardown(connection.close)
      const fixture = await readFile(new URL(`fixtures/version-${version}.sql`, import.meta.url), 'utf8')
      for (const statement of fixture.split(/;\n/).filter(each => each.trim() !== ''))
        await connection.execute(raw(statement))

      // At the same time, because several replicas may start after an update.
      const migrated = await Promise.all([1, 2].map(() => openClickHouseStore(address)))
      t.teardown(() => Promise.all(migrated.map(each => each.close())))
      const [first] = migrated
      const window = { fromMs: noonMs - 48 * hourMs, toMs: noonMs + hourMs }
      t.match(await first?.services(window, hourMs), [{ service: 'shop', events: 2, requests: 2, errors: 1 }])
      t.match(await first?.failure('0123456789', hourMs, window), {
        type: 'TypeError',
        count: 1,
        digests: ['42'],
      })
      const plan: Query = { kind: 'attribute', path: 'plan', comparison: '=', value: 'gold' }
      t.match((await first?.events({ window, query: plan, limit: 10 }))?.events, [{ body: 'Basket opened' }])
      const [row] = await connection.select(sql`SELECT max(version) AS version FROM schema_version`)
      t.match(row, { version: 8 })
      created ??= await describeNewTables()
      t.same(await definitionsOf(connection), created.definitions)
      t.same(await projectionsOf(connection), created.projections, 'in the same order')
      t.equal(await deduplicationOf(connection), 'non_replicated_deduplication_window = 10000')
      t.equal(created.deduplication, await deduplicationOf(connection))
    },
  )
}

async function describeNewTables() {
  const address = newAddress()
  await (await openClickHouseStore(address)).close()
  const connection = connect(address)
  const definitions = await definitionsOf(connection)
  const projections = await projectionsOf(connection)
  const deduplication = await deduplicationOf(connection)
  await connection.close()
  return { definitions, projections, deduplication }
}

/** The columns, indexes and projections of the event table. */
function definitionsOf({ select }: Connection): Promise<unknown> {
  const ofEvents = sql`database = currentDatabase() AND table = 'event'`
  return select(sql`SELECT * FROM (
    SELECT 'column' AS kind, name, concat(type, default_expression, compression_codec) AS definition, position
    FROM system.columns WHERE ${ofEvents}
    UNION ALL SELECT 'index', name, concat(type_full, expr), 0 FROM system.data_skipping_indices WHERE ${ofEvents}
    UNION ALL SELECT 'projection', name, query, 0 FROM system.projections WHERE ${ofEvents})
    ORDER BY kind, position, name`)
}

async function deduplicationOf(connection: Connection): Promise<string | null> {
  return /\w*deduplication_window = \d+/.exec(await createStatementOf(connection))?.[0] ?? null
}

/** The names of the projections. A server that joins a cluster must have them in the same order as the other servers. */
async function projectionsOf(connection: Connection): Promise<string[]> {
  return [...(await createStatementOf(connection)).matchAll(/PROJECTION (\w+)/g)].map(([, name = '']) => name)
}

async function createStatementOf({ select }: Connection): Promise<string> {
  const [row] = await select(
    sql`SELECT create_table_query AS query FROM system.tables WHERE database = currentDatabase() AND name = 'event'`,
  )
  return text(row?.query)
}
