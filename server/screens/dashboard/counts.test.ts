import t from 'tap'
import type { NewEvent } from '../../../shared/event.ts'
import { parseRange } from '../../../shared/parse-range.ts'
import { paths } from '../../../shared/paths.ts'
import { resolveRange } from '../../../shared/range.ts'
import { requestsHref, slowRequestsHref, vitalHref } from '../../../shared/request-search.ts'
import type {
  DashboardChartId,
  DashboardContent,
  DashboardOverview,
} from '../../../shared/screens/dashboard.ts'
import { parseQuery } from '../../query/parse.ts'
import { anEvent } from '../../store/conformance/testing.ts'
import { openDuckDbStore } from '../../store/duckdb/store.ts'
import { fakeContext, fakeRequest, testNowMs } from '../../testing/fake-context.ts'
import { plotIn } from '../../testing/plot-in.ts'
import { createRandom } from '../../testing/random.ts'
import { dashboard } from './dashboard.ts'

const random = createRandom(7)
const pick = <T>(list: readonly T[]): T => {
  const item = list[Math.floor(random() * list.length)]
  if (item === undefined) throw new RangeError('Nothing to pick from')
  return item
}

/** Two hours of events. Request durations span eight orders of magnitude and include band edges. */
const events: NewEvent[] = Array.from({ length: 6000 }, () =>
  anEvent({
    timeMs: testNowMs - Math.floor(random() * 7_200_000),
    service: pick(['shop', 'pay & go', 'say "so"']),
    release: pick(['1', '2']),
    method: pick(['GET', 'POST', null]),
    route: pick(['/cart', '/a (b)', null]),
    status: pick([200, 200, 200, 404, 500, 503, null]),
    durationMs: pick([0, 0.1, 1, 10, 250, 100_000, 10 ** (random() * 8 - 2), 10 ** (random() * 2), null]),
  }),
)

const store = await openDuckDbStore({ folder: t.testdir() })
t.teardown(() => store.close())
for (const name of ['LCP', 'INP', 'CLS', 'TTFB']) {
  for (let count = 0; count < 40; count += 1) {
    events.push(
      anEvent({
        timeMs: testNowMs - Math.floor(random() * 7_200_000),
        service: pick(['shop', 'pay & go']),
        source: pick(['browser', 'own', 'ndjson']),
        route: pick(['/cart', null]),
        attributes: { vital: { name, value: pick([random() * 5000, -1, 'none']) } },
      }),
    )
  }
}
for (let at = 0; at < events.length; at += 1000) await store.append(events.slice(at, at + 1000))

async function contentOf(query: string): Promise<DashboardOverview> {
  const content = await shownAt(query)
  if (content.view !== 'overview') throw new Error('The dashboard shows a table')
  return content
}

/** Returns the HTML of a chart's table. */
async function tableOf(chart: DashboardChartId, query: string): Promise<string> {
  const content = await shownAt(`${query}&table=${chart}`)
  if (content.view !== 'table') throw new Error('The dashboard shows no table')
  return content.table.html ?? ''
}

async function shownAt(query: string): Promise<DashboardContent> {
  const result = await dashboard.get(fakeRequest(query), fakeContext({ store }))
  if (result.kind !== 'content') throw new Error('The dashboard returned a redirect')
  return result.content
}

/** Follows a link to the log and counts the events there. */
async function countAt(href: string): Promise<number> {
  const { searchParams } = new URL(href, 'http://console.example')
  const parsed = parseQuery(searchParams.get('q') ?? '')
  if ('problem' in parsed) throw new Error(parsed.problem.message)
  const window = resolveRange(
    parseRange(searchParams, { range: '1h', timeZone: 'UTC' }, testNowMs),
    testNowMs,
  )
  const buckets = await store.histogram({ window, query: parsed.query }, window.toMs - window.fromMs)
  return buckets.flatMap(({ counts }) => Object.values(counts)).reduce((sum, count) => sum + count, 0)
}

/** Computes a percentile with linear interpolation, like DuckDB's `quantile_cont`. */
function percentile(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share
  const low = sorted[Math.floor(place)] ?? Number.NaN
  const high = sorted[Math.ceil(place)] ?? Number.NaN
  return low + (high - low) * (place - Math.floor(place))
}

function expectedMetrics({ window, service }: Pick<DashboardContent, 'window' | 'service'>) {
  const requests = events.filter(
    event =>
      event.status !== null &&
      event.durationMs !== null &&
      event.timeMs >= window.fromMs &&
      event.timeMs < window.toMs &&
      (service === null || event.service === service),
  )
  const durations = requests.map(({ durationMs }) => durationMs ?? 0).sort((a, b) => a - b)
  return { requests, durations, errors: requests.filter(({ status }) => (status ?? 0) >= 500).length }
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
const unescaped = (text: string) => text.replace(/&([\w#]+);/g, (entity, name) => entities[name] ?? entity)

for (const query of [
  'range=1h',
  `range=1h&service=${encodeURIComponent('say "so"')}`,
  'range=15m&service=shop',
]) {
  t.test(`metrics match the stored events: ${query}`, async t => {
    const content = await contentOf(query)
    const { requests, durations, errors } = expectedMetrics(content)
    const { now, window } = content
    t.ok(requests.length > 50)
    t.equal(now.requests, requests.length)
    t.equal(now.errors, errors)
    t.equal(now.errorRatio, errors / requests.length)
    t.equal(now.rate, requests.length / ((window.toMs - window.fromMs) / 1000))
    const close = (actual: number | null, share: number) => {
      const expected = percentile(durations, share)
      t.ok(Math.abs((actual ?? Number.NaN) - expected) <= expected * 0.01, `${actual}, not ${expected}`)
    }
    close(now.p50Ms, 0.5)
    close(now.p95Ms, 0.95)
    close(now.p99Ms, 0.99)
  })

  t.test(`each number links to as many events as it counts: ${query}`, async t => {
    const content = await contentOf(query)
    const { service, window } = content
    const filter = service === null ? {} : { service }
    t.equal(await countAt(requestsHref(filter, window)), content.now.requests)
    t.equal(await countAt(requestsHref(filter, window, 'errors')), content.now.errors)
    for (const row of content.routes) {
      const terms = { service: row.service, method: row.method, route: row.route }
      t.equal(await countAt(requestsHref(terms, window)), row.requests)
      t.equal(await countAt(requestsHref(terms, window, 'errors')), row.errors)
    }
  })

  t.test(`percentiles link to the requests that are at least as slow: ${query}`, async t => {
    const content = await contentOf(query)
    const { service, window, now } = content
    const { durations } = expectedMetrics(content)
    const filter = service === null ? {} : { service }
    for (const [share, percentileMs] of [
      [0.95, now.p95Ms],
      [0.99, now.p99Ms],
    ] as const) {
      const withLinks = await countAt(slowRequestsHref(filter, window, percentileMs ?? 0))
      const expected = percentile(durations, share)
      const slower = (limitMs: number) => durations.filter(durationMs => durationMs >= limitMs).length
      t.ok(withLinks >= slower(expected), `${withLinks} requests include the ${slower(expected)} slowest`)
      t.ok(withLinks <= slower(expected * 0.97), `${withLinks} requests, at most ${slower(expected * 0.97)}`)
    }
  })

  t.test(`heat map cells link to as many requests as they count: ${query}`, async t => {
    const { heatMap, now } = await contentOf(query)
    const plot = plotIn(heatMap.chart)
    if (plot.kind !== 'map') throw new Error('There is no heat map')
    const cells = plot.bands.flatMap(({ search, counts }) =>
      counts.flatMap((count, column) => (count === 0 ? [] : [{ search, count, column }])),
    )
    t.equal(
      cells.reduce((sum, { count }) => sum + count, 0),
      now.requests,
      'each request is in one cell',
    )
    const { window, bucketMs } = plot
    const some = cells.filter((_, index) => index % 7 === 0)
    t.ok(some.length > 10)
    for (const { search, count, column } of some) {
      const fromMs = window.fromMs + column * bucketMs
      const toMs = Math.min(fromMs + bucketMs, window.toMs)
      t.equal(
        await countAt((plot.eventsHref ?? '') + search + paths.activitiesUrlParts.window({ fromMs, toMs })),
        count,
      )
    }
    const withLinks = [...(await tableOf('durations', query)).matchAll(/<td><a href="([^"]*)">([\d,]+)</g)]
    t.equal(withLinks.length, cells.length, 'the table has the same cells')
    for (const [, href = '', count = ''] of withLinks.filter((_, index) => index % 31 === 0))
      t.equal(await countAt(unescaped(href)), Number(count.replaceAll(',', '')))
  })

  t.test(`heat map table rows and columns link to as many requests as they count: ${query}`, async t => {
    const html = await tableOf('durations', query)
    const heads = [...html.matchAll(/<th scope="col"><a href="([^"]*)"/g)].map(([, href = '']) =>
      unescaped(href),
    )
    const rows = [...html.matchAll(/<th scope="row"><a href="([^"]*)">.*?<\/tr>/g)].map(
      ([row, href = '']) => ({
        href: unescaped(href),
        counts: [...row.matchAll(/<td>(?:<a [^>]*>)?([\d,]+)</g)].map(([, count = '']) =>
          Number(count.replaceAll(',', '')),
        ),
      }),
    )
    for (const [index, href] of heads.entries()) {
      const sum = rows.reduce((total, { counts }) => total + (counts[index] ?? 0), 0)
      t.equal(await countAt(href), sum)
    }
    for (const { href, counts } of rows.filter((_, index) => index % 5 === 0)) {
      t.equal(
        await countAt(href),
        counts.reduce((sum, count) => sum + count, 0),
      )
    }
  })
}

t.test('Web Vitals match the stored events and link to them', async t => {
  const { vitals, window } = await contentOf('range=1h')
  t.ok(vitals.length >= 4)
  for (const { service, route, metrics } of vitals) {
    for (const { name, p75, count } of metrics) {
      const values = events.flatMap(event => {
        const { vital } = event.attributes
        const isCounted =
          event.timeMs >= window.fromMs &&
          event.timeMs < window.toMs &&
          event.source !== 'ndjson' &&
          event.service === service &&
          event.route === route
        if (!isCounted || typeof vital !== 'object' || vital === null || !('name' in vital)) return []
        return vital.name === name && typeof vital.value === 'number' && vital.value >= 0 ? [vital.value] : []
      })
      t.equal(count, values.length)
      t.equal(await countAt(vitalHref({ service, route }, name, window)), count)
      const expected = percentile(
        values.sort((a, b) => a - b),
        0.75,
      )
      // The page rounds values to six digits.
      t.ok(Math.abs(p75 - expected) <= expected * 1e-5)
    }
  }
})

t.test('chart buckets link to the requests that they count', async t => {
  const { window } = await contentOf('range=1h&service=shop')
  const html = await tableOf('rate', 'range=1h&service=shop')
  const rows = [
    ...html.matchAll(/<th scope="row"><a href="([^"]*)">[^<]*<\/a><\/th><td class="num">([^<]*)</g),
  ]
  t.equal(rows.length, 61)
  const counts = await Promise.all(rows.map(([, href = '']) => countAt(unescaped(href))))
  const { requests } = expectedMetrics({ window, service: 'shop' })
  t.equal(
    counts.reduce((sum, count) => sum + count, 0),
    requests.length,
  )
  for (const [index, count] of counts.slice(0, -1).entries()) {
    const [, , rate = ''] = rows[index] ?? []
    const perMinute = rate.endsWith('/min') ? Number.parseFloat(rate) : Number.parseFloat(rate) * 60
    t.ok(Math.abs(perMinute - count) <= Math.max(0.01 * count, 0.3), `${rate} means ${count} per minute`)
  }
})
