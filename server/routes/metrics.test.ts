import { renameSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { paths } from '../../shared/paths.ts'
import { createHttpApp } from '../http-app.ts'
import { readConfig } from '../settings/config.ts'
import { segmentFiles } from '../store/duckdb/engine/segments.ts'
import { openDuckDbStore } from '../store/duckdb/store.ts'
import { fakeContext } from '../testing/fake-context.ts'

const password = 'correct horse battery'
const authorization = `Basic ${Buffer.from(`any:${password}`).toString('base64')}`

const stats = {
  events: 1000,
  diskBytes: 5_000_000,
  oldestMs: 1_700_000_000_000,
  damagedFiles: ['a.duckdb'],
  queries: 40,
  queriesMs: 2500,
}

async function createTestApp(t: Test, environment: Record<string, string>, readStats = async () => stats) {
  const { events, store } = fakeContext()
  const app = await createHttpApp(
    fakeContext({
      config: readConfig(environment),
      events: {
        ...events,
        counts: () => ({ accepted: 120, rejected: 3, ignored: { span: 7 }, dropped: 1, perSecond: 2 }),
      },
      store: { ...store, stats: readStats },
    }),
  )
  t.teardown(() => app.close())
  return app
}

function valueIn(body: string, series: string): number | null {
  const line = body.split('\n').find(each => each.startsWith(`${series} `))
  return line === undefined ? null : Number(line.slice(series.length + 1))
}

t.test(
  'metrics require sign-in unless the configuration makes them public, and are off by default if nobody has to sign in',
  async t => {
    const statuses = async (environment: Record<string, string>) => {
      const app = await createTestApp(t, environment)
      const statusOf = async (headers: Record<string, string>) =>
        (await app.inject({ url: paths.metrics(), headers })).statusCode
      return [await statusOf({}), await statusOf({ authorization })]
    }
    t.same(await statuses({}), [404, 404])
    t.same(await statuses({ SIXPANE_METRICS: '1' }), [200, 200])
    t.same(await statuses({ SIXPANE_PASSWORD: password }), [401, 200])
    t.same(await statuses({ SIXPANE_PASSWORD: password, SIXPANE_METRICS: '1' }), [200, 200])
  },
)

t.test('counts requests by route, and reports the ingest and store metrics', async t => {
  const app = await createTestApp(t, { SIXPANE_METRICS: '1' })
  for (const url of ['/livez', '/livez', '/nowhere?secret=1', '/another']) await app.inject({ url })
  const { body, headers } = await app.inject({ url: paths.metrics() })
  t.match(headers['content-type'], /^text\/plain; version=0\.0\.4; charset=utf-8$/)
  const value = (series: string) => valueIn(body, series)
  const count = (labels: string) => value(`http_server_request_duration_seconds_count{${labels}}`)
  t.equal(count('http_request_method="GET",http_route="/livez",http_response_status_code="200"'), 2)
  t.equal(
    count('http_request_method="GET",http_route="",http_response_status_code="404"'),
    2,
    'unknown paths share one series',
  )
  t.notMatch(body, 'secret')
  t.equal(value('sixpane_ingest_events_accepted_total'), 120)
  t.equal(value('sixpane_ingest_events_rejected_total'), 3)
  t.equal(value('sixpane_ingest_items_ignored_total{kind="span"}'), 7)
  t.equal(
    value('sixpane_ingest_items_ignored_total{kind="replay"}'),
    0,
    'a kind is reported before its first item',
  )
  t.equal(value('sixpane_own_events_dropped_total'), 1)
  t.equal(value('sixpane_store_events'), 1000)
  t.equal(value('sixpane_store_size_bytes'), 5_000_000)
  t.equal(value('sixpane_store_oldest_event_timestamp_seconds'), 1_700_000_000)
  t.equal(value('sixpane_store_damaged_files'), 1)
  t.equal(value('sixpane_store_queries_total'), 40)
  t.equal(value('sixpane_store_query_duration_seconds_total'), 2.5)
  t.ok((value('process_resident_memory_bytes') ?? 0) > 1e6)

  const again = await app.inject({ url: paths.metrics() })
  t.match(
    again.body,
    /^sixpane_ingest_events_accepted_total 120$/m,
    'reading the metrics does not change the counts',
  )
})

t.test('while the store cannot be read, only the store metrics are absent', async t => {
  let isUp = false
  const app = await createTestApp(t, { SIXPANE_METRICS: '1' }, async () => {
    if (!isUp) throw new Error('The database is gone')
    return stats
  })
  const read = async () => {
    const { statusCode, body } = await app.inject({ url: paths.metrics() })
    const series = ['sixpane_store_up', 'sixpane_store_events', 'sixpane_store_queries_total']
    return [statusCode, ...series.map(each => valueIn(body, each))]
  }
  await app.inject({ url: '/livez' })
  t.same(await read(), [200, 0, null, null])
  t.match(
    (await app.inject({ url: paths.metrics() })).body,
    /^http_server_request_duration_seconds_count\{.*\/livez/m,
  )
  isUp = true
  t.same(await read(), [200, 1, 1000, 40])
  isUp = false
  t.same(await read(), [200, 0, null, null])
})

t.test('reports that the store is not up if a file of DuckDB is missing', async t => {
  const folder = t.testdir()
  const store = await openDuckDbStore({ folder })
  t.teardown(() => store.close())
  const app = await createHttpApp(fakeContext({ config: readConfig({ SIXPANE_METRICS: '1' }), store }))
  t.teardown(() => app.close())
  const isUp = async () => valueIn((await app.inject({ url: paths.metrics() })).body, 'sixpane_store_up')
  t.equal(await isUp(), 1)
  const [segment = ''] = await segmentFiles(folder)
  renameSync(join(folder, segment), join(folder, 'moved'))
  t.equal(await isUp(), 0)
  renameSync(join(folder, 'moved'), join(folder, segment))
  t.equal(await isUp(), 1)
})
