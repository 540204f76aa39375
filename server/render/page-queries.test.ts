import t from 'tap'
import { paths } from '../../shared/paths.ts'
import { screenAt } from '../../shared/screens.ts'
import { openDuckDbStore } from '../store/duckdb/store.ts'
import { busyHour } from '../testing/busy-hour.ts'
import { fakeContext, fakeRequest, testNowMs } from '../testing/fake-context.ts'
import { preparePage } from './prepare.ts'

/**
 * The maximum number of store queries for each page. The number matters because a query that needs the engine has a fixed
 * cost, even if few events match.
 */
const limits: readonly [url: string, queries: number][] = [
  [paths.home(), 5],
  [paths.activities(), 3],
  [paths.activities({ q: 'declined' }), 4],
  // The list and the waterfall share a query.
  [paths.activities({ q: 'request:req-1' }), 1],
  [paths.activities({ facet: '@plan' }), 4],
  [paths.activities({ range: { span: '1h' }, event: 1, view: 'event' }), 1],
  [paths.activities({ range: { span: '1h' }, view: 'counts' }), 2],
  // Web Vitals and sessions share one engine query. The times of services and releases are cached.
  [paths.dashboard(), 9],
  [paths.dashboard({ range: { span: '7d' } }), 9],
  [paths.development(), 2],
  [paths.settings(), 1],
  [paths.ui(), 0],
]

t.test('each page runs only a limited number of queries', async t => {
  const store = await openDuckDbStore({ folder: t.testdir(), nowMs: () => testNowMs })
  t.teardown(() => store.close())
  await store.append(busyHour())
  const context = fakeContext({ store })
  const prepare = async (url: string) => {
    const { pathname, search } = new URL(url, 'http://console.example')
    const screen = screenAt(pathname)
    if (screen === undefined) throw new Error(`There is no screen at ${pathname}`)
    await preparePage({ ...fakeRequest(search), screen, url, form: null, visitor: '127.0.0.1' }, context)
  }
  for (const [url, maxQueries] of limits) {
    // The first load is not measured, because it may also run queries that summarise segments.
    await prepare(url)
    const before = (await store.stats()).queries
    await prepare(url)
    const queries = (await store.stats()).queries - before
    t.ok(queries <= maxQueries, `${url} ran ${queries} of ${maxQueries} queries`)
  }
})
