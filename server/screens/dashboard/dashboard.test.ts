import t from 'tap'
import type { Window } from '../../../shared/range.ts'
import type { DashboardContent, DashboardOverview } from '../../../shared/screens/dashboard.ts'
import { bucketCount } from '../../store/buckets.ts'
import type {
  RequestBucket,
  RequestCounts,
  RequestFilter,
  RouteCounts,
  SeenSource,
} from '../../store/event-store.ts'
import type { Store } from '../../store/store.ts'
import { fakeContext, fakeRequest, testNowMs } from '../../testing/fake-context.ts'
import { dashboard } from './dashboard.ts'

const hourMs = 3_600_000
const none: RequestCounts = { requests: 0, errors: 0, p50Ms: null, p95Ms: null, p99Ms: null }

/** A service that sent its first event at this time. */
function seen(service: string, firstSeenMs: number): SeenSource {
  return { service, source: 'ndjson', firstSeenMs, lastSeenMs: testNowMs }
}

async function contentOf(query: string, store: Partial<Store>): Promise<DashboardOverview> {
  const content = await shownAt(query, store)
  if (content.view !== 'overview') throw new Error('The dashboard shows a table')
  return content
}

async function shownAt(query: string, store: Partial<Store>): Promise<DashboardContent> {
  const response = await dashboard.get(fakeRequest(query), fakeContext({ store }))
  if (response.kind !== 'content') throw new Error('The dashboard returned a redirect')
  return response.content
}

/** Returns the query parameters of a link. */
function queryOf(href: string): Record<string, string> {
  return Object.fromEntries(new URL(href, 'http://console.example').searchParams)
}

t.test('metrics cover the range and the previous period of the same length', async t => {
  const filters: RequestFilter[] = []
  const { now, before, window } = await contentOf('service=shop&range=15m', {
    seenSources: async () => [seen('shop', 0)],
    requestSeries: async filter => {
      filters.push(filter)
      const total =
        filters.length === 1
          ? { requests: 900, errors: 9, p50Ms: 1, p95Ms: 2, p99Ms: 3 }
          : { ...none, requests: 90 }
      return { total, buckets: [], cells: [] }
    },
  })
  const [first, second] = filters
  t.same(first, { service: 'shop', except: 'sixpane', window })
  const quarterMs = 15 * 60_000
  t.same(second?.window, { fromMs: window.fromMs - quarterMs, toMs: window.toMs - quarterMs })
  t.match(now, { requests: 900, errors: 9, errorRatio: 0.01, p50Ms: 1, p95Ms: 2, p99Ms: 3 })
  t.equal(now.rate, 900 / ((window.toMs - window.fromMs) / 1000))
  t.match(before, { requests: 90, errorRatio: 0 })
})

t.test('Web Vitals and self-metrics have 12 to 31 points', async t => {
  for (const span of ['15m', '30m', '1h', '24h', '7d', '30d']) {
    const counts: number[] = []
    const { window } = await contentOf(`range=${span}`, {
      webVitals: async ({ window }, bucketMs) => {
        counts.push(bucketCount(window, bucketMs))
        return []
      },
      attributeSeries: async ({ window }, series, bucketMs) => {
        counts.push(bucketCount(window, bucketMs))
        return series.map(() => [])
      },
    })
    t.equal(counts.length, 2, span)
    for (const count of counts) t.ok(count >= 12 && count <= 31, `${span}: ${count} points`)
    t.ok(window.toMs > window.fromMs)
  }
})

t.test('metrics of a range that ends in the future cover the elapsed part', async t => {
  const minuteMs = 60_000
  const range = { fromMs: testNowMs - 10 * minuteMs, toMs: testNowMs + 50 * minuteMs }
  const windows: Window[] = []
  const { now, ...content } = await contentOf(`from=${range.fromMs}&to=${range.toMs}`, {
    requestSeries: async ({ window }) => {
      windows.push(window)
      return { total: { ...none, requests: 600 }, buckets: [], cells: [] }
    },
  })
  t.same(windows, [
    { fromMs: range.fromMs, toMs: testNowMs },
    { fromMs: range.fromMs - 10 * minuteMs, toMs: range.fromMs },
  ])
  t.equal(now.rate, 1)
  t.same(content.range, range)
})

t.test(
  'a previous period is not compared if it is not completely stored, or had requests for less than half of the time',
  async t => {
    const beforeOf = async (firstSeenHours: number, active: number, search = 'service=shop') => {
      const bucketsOf = (length: number): RequestBucket[] =>
        Array.from({ length: 10 }, (_, startMs) => ({ ...none, requests: startMs < length ? 3 : 0, startMs }))
      const series = [bucketsOf(10), bucketsOf(active)]
      const { before, isBeforeStored, charts } = await contentOf(`range=1h&${search}`, {
        seenSources: async () => [
          seen('sixpane', 0),
          seen('old', 0),
          seen('shop', testNowMs - firstSeenHours * hourMs),
        ],
        requestSeries: async () => ({
          total: { ...none, requests: 30 },
          buckets: series.shift() ?? [],
          cells: [],
        }),
      })
      const isDrawn = charts.every(({ chart }) => chart.html?.includes('previous p'))
      t.equal(isDrawn, before !== null, 'the charts and the numbers agree')
      return { before, isBeforeStored }
    }
    const compared = { before: { requests: 30 }, isBeforeStored: true }
    const notStored = { before: null, isBeforeStored: false }
    t.match(await beforeOf(2.1, 5), compared)
    t.same(await beforeOf(2.1, 4), { before: null, isBeforeStored: true })
    t.same(await beforeOf(1.9, 10), notStored, 'the service was connected later')
    t.match(await beforeOf(1.9, 10, ''), compared, 'another service was connected earlier')
    t.same(await beforeOf(1.9, 10, 'service=none'), notStored)
  },
)

t.test('a previous period is not compared if some of its events have expired', async t => {
  const content = await contentOf('range=30d', {
    seenSources: async () => [seen('shop', testNowMs - 1000 * 24 * hourMs)],
  })
  t.match(content, { before: null, isBeforeStored: false })
})

t.test('there is no error rate without requests', async t => {
  const { now } = await contentOf('', {})
  t.same(now, { ...none, rate: 0, errorRatio: null })
})

t.test('counts routes in the displayed window', async t => {
  const filters: RequestFilter[] = []
  const { window } = await contentOf('from=2026-11-21T10:00Z&to=2026-11-21T11:00Z', {
    routeMetrics: async filter => {
      filters.push(filter)
      return []
    },
  })
  t.same(window, { fromMs: Date.UTC(2026, 10, 21, 10), toMs: Date.UTC(2026, 10, 21, 11) })
  t.same(filters[0]?.window, window)
})

t.test('sorts routes as requested and counts all of them', async t => {
  const route = (name: string, counts: Partial<RouteCounts>): RouteCounts => {
    return { ...none, service: 'shop', method: 'GET', route: name, ...counts }
  }
  const all = [
    route('/busy', { requests: 100, errors: 2, p95Ms: 5 }),
    route('/slow', { requests: 10, p95Ms: 900 }),
    route('/broken', { requests: 1, errors: 1, p95Ms: 7 }),
    ...Array.from({ length: 30 }, (_, index) => route(`/${index}`, { requests: 1, p95Ms: 1 })),
  ]
  const first = async (query: string) => {
    const { routes, routeCount } = await contentOf(query, { routeMetrics: async () => all })
    t.equal(routes.length, 20)
    t.equal(routeCount, 33)
    return routes[0]?.route
  }
  t.equal(await first(''), '/slow')
  t.equal(await first('sort=failing'), '/broken')
  t.equal(await first('sort=busiest'), '/busy')
  t.equal(await first('sort=loudest'), '/slow')
})

t.test('lists all routes in pages, and loads nothing else', async t => {
  const all = Array.from({ length: 120 }, (_, index): RouteCounts => {
    return { ...none, service: 'shop', method: 'GET', route: `/${index}`, requests: 1, p95Ms: index }
  })
  const fail = async () => {
    throw new Error('Not needed')
  }
  const store: Partial<Store> = {
    routeMetrics: async () => all,
    requestSeries: fail,
    releaseStarts: fail,
    services: fail,
  }
  const pageAt = async (query: string) => {
    const content = await shownAt(`table=routes${query}`, store)
    if (content.view !== 'routes') throw new Error('The page does not list the routes')
    return content
  }
  const pages = [await pageAt(''), await pageAt('&page=2'), await pageAt('&page=3')]
  t.same(
    pages.flatMap(({ routes }) => routes.map(({ route }) => route)),
    all.map(({ route }) => route).reverse(),
    'each route is on exactly one page',
  )
  t.match(pages[1], { page: 2, first: 51, routeCount: 120 })
  t.match(await pageAt('&page=9'), { page: 3, first: 101 })
  t.equal((await pageAt('&sort=busiest')).routes[0]?.route, '/0')
})

t.test('chart buckets link only to their requests within the window', async t => {
  const fromMs = testNowMs - 90_500
  const bucket = (startMs: number, requests: number): RequestBucket => {
    return { startMs, requests, errors: 1, p50Ms: 1, p95Ms: 2, p99Ms: 3 }
  }
  const store: Partial<Store> = {
    requestSeries: async ({ window }, bucketMs) => ({
      total: none,
      buckets: [bucket(window.fromMs, 50), bucket(window.fromMs + 18 * bucketMs, 7)],
      cells: [],
    }),
  }
  const query = `from=${fromMs}&to=${testNowMs}`
  const { charts } = await contentOf(query, store)
  t.same(
    charts.map(({ id, unit }) => [id, unit]),
    [
      ['errors', 'share of 5xx responses'],
      ['latency', 'duration of requests'],
      ['rate', 'requests per second'],
    ],
  )
  const content = await shownAt(`${query}&table=rate`, store)
  const html = content.view === 'table' ? (content.table.html ?? '') : ''
  const links = [...html.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => {
    return queryOf(href.replaceAll(/&(?:amp|#38);/g, '&'))
  })
  t.equal(links.length, 2)
  t.ok(links.every(({ to }) => Date.parse(to ?? '') <= testNowMs))
  // 50 requests in a five-second bucket
  t.match(html, '10.0/s')
})

t.test('the request rate of a quiet service is per day, so that its axis has short labels', async t => {
  const labelsOf = async (hours: number, perBucket: number[]) => {
    const fromMs = testNowMs - hours * hourMs
    const { charts } = await contentOf(`from=${fromMs}&to=${testNowMs}`, {
      requestSeries: async ({ window }, bucketMs) => ({
        total: none,
        buckets: perBucket.map((requests, index) => {
          return { ...none, requests, startMs: window.fromMs + index * bucketMs }
        }),
        cells: [],
      }),
    })
    const rate = charts.find(({ id }) => id === 'rate')
    const axis = /class="chart-values".*?<\/svg>/s.exec(rate?.chart.html ?? '')?.[0] ?? ''
    return [rate?.unit, ...[...axis.matchAll(/>([^<]+)<\/text>/g)].map(([, label]) => label)]
  }
  // In thirty days, each bucket is 12 hours long.
  t.same(await labelsOf(720, [0, 3, 1]), ['requests per day', '0/day', '2/day', '4/day', '6/day'])
  t.same(await labelsOf(720, [0, 12, 1]), ['requests per minute', '0/min', '0.01/min', '0.02/min'])
  t.same(await labelsOf(720, [0, 0]), ['requests per minute', '0/min', '0.5/min', '1/min'])
  t.same(
    await labelsOf(169, [...Array<number>(56).fill(1), 2]),
    ['requests per day', '0/day', '5/day', '10/day'],
    'the incomplete last bucket is not drawn, so it does not determine the unit',
  )
})

t.test('a chart table loads only the data that it shows', async t => {
  const fail = async () => {
    throw new Error('Not needed')
  }
  const store: Partial<Store> = {
    routeMetrics: fail,
    webVitals: fail,
    services: fail,
    stats: fail,
  }
  const latency = await shownAt('service=shop&compare=off&table=latency', store)
  t.match(latency, {
    view: 'table',
    chart: { id: 'latency', title: 'Latency' },
    service: 'shop',
    compare: false,
  })
  t.match(await shownAt('table=durations', store), { view: 'table', chart: { id: 'durations' } })
  t.match(await shownAt('table=nothing', {}), { view: 'overview' })
})
