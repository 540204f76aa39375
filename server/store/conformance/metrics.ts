import type { Test } from 'tap'
import { dayMs } from '../../../shared/duration-units.ts'
import type { Attributes, NewEvent } from '../../../shared/event.ts'
import { fieldEquals, type Query } from '../../../shared/query.ts'
import { durationEdgesMs } from '../duration-edges.ts'
import { facetFields, type RequestCounts } from '../event-store.ts'
import { allEvents, anEvent, type MakeLocation, noonMs, openStore, testWindow } from './testing.ts'

const minuteMs = 60_000
/** Three one-minute buckets; the last one is incomplete. */
const window = { fromMs: noonMs, toMs: noonMs + 2.5 * minuteMs }

function request(overrides: Partial<NewEvent>): NewEvent {
  return anEvent({ method: 'GET', route: '/cart', status: 200, durationMs: 10, ...overrides })
}

/** Replaces each percentile with the expected one if they differ by at most 1%. */
function withinPercent<Counts extends RequestCounts>(
  actual: readonly Counts[],
  expected: readonly RequestCounts[],
) {
  const round = (value: number | null, exact: number | null | undefined) =>
    value !== null && exact != null && Math.abs(value - exact) <= exact * 0.01 ? exact : value
  return actual.map((counts, index) => ({
    ...counts,
    p50Ms: round(counts.p50Ms, expected[index]?.p50Ms),
    p95Ms: round(counts.p95Ms, expected[index]?.p95Ms),
    p99Ms: round(counts.p99Ms, expected[index]?.p99Ms),
  }))
}

/** Tests counts, facets, and metrics of requests and services. */
export async function metrics(t: Test, make: MakeLocation): Promise<void> {
  await t.test('histogram counts by severity and bucket, including empty buckets', async t => {
    const store = await openStore(t, make)
    await store.append([
      anEvent({ timeMs: window.fromMs - 0.001 }),
      anEvent({ timeMs: window.fromMs }),
      anEvent({ timeMs: window.fromMs + minuteMs - 0.001, severity: 'fatal' }),
      anEvent({ timeMs: window.toMs - 0.001, severity: 'error' }),
      anEvent({ timeMs: window.toMs }),
    ])
    const none = { trace: 0, debug: 0, info: 0, warn: 0, error: 0, fatal: 0 }
    t.strictSame(await store.histogram({ window, query: allEvents }, minuteMs), [
      { startMs: noonMs, counts: { ...none, info: 1, fatal: 1 } },
      { startMs: noonMs + minuteMs, counts: none },
      { startMs: noonMs + 2 * minuteMs, counts: { ...none, error: 1 } },
    ])
    await t.rejects(store.histogram({ window, query: allEvents }, 0.001), RangeError)
    await t.rejects(store.histogram({ window, query: allEvents }, 0), RangeError)
  })

  await t.test('facets rank field values', async t => {
    const store = await openStore(t, make)
    await store.append([
      ...['b', 'a', 'c', 'b'].map(service => request({ service, severity: 'warn' })),
      anEvent({ service: 'c', release: '2', source: 'otlp' }),
      anEvent({ service: 'z', timeMs: noonMs - 7_200_000 }),
    ])
    const fields = ['service', 'status', 'severity', 'release', 'source', 'route'] as const
    t.strictSame(await store.facets({ window: testWindow, query: allEvents }, fields, 2), [
      {
        field: 'service',
        values: [
          { value: 'b', count: 2 },
          { value: 'c', count: 2 },
        ],
      },
      { field: 'status', values: [{ value: '200', count: 4 }] },
      {
        field: 'severity',
        values: [
          { value: 'warn', count: 4 },
          { value: 'info', count: 1 },
        ],
      },
      { field: 'release', values: [{ value: '2', count: 1 }] },
      {
        field: 'source',
        values: [
          { value: 'ndjson', count: 4 },
          { value: 'otlp', count: 1 },
        ],
      },
      { field: 'route', values: [{ value: '/cart', count: 4 }] },
    ])
    t.same(await store.facets({ window: testWindow, query: allEvents }, [], 2), [])
    t.match(await store.facets({ window: testWindow, query: allEvents }, ['service'], 1), [
      { field: 'service', values: [{ value: 'b', count: 2 }] },
    ])
  })

  await t.test('facets count values that differ only in case as one, as a search finds them', async t => {
    const store = await openStore(t, make)
    await store.append([
      ...['/menu', '/cart', '/Cart', '/menu', '/CART', '/É', '/é'].map(route => request({ route })),
      ...['1.0-RC', '1.0-rc'].map(release => anEvent({ release, service: 'Shop' })),
    ])
    // The engine evaluates the first query with counts, and the second with the text of the events.
    for (const query of [allEvents, { kind: 'text', text: 'basket' }] satisfies Query[]) {
      const filter = { window: testWindow, query }
      const [routes, services, releases] = await store.facets(filter, ['route', 'service', 'release'], 3)
      t.strictSame(routes?.values, [
        { value: '/CART', count: 3 },
        { value: '/menu', count: 2 },
        { value: '/É', count: 2 },
      ])
      t.strictSame(services?.values, [{ value: 'Shop', count: 9 }])
      t.strictSame(releases?.values, [{ value: '1.0-RC', count: 2 }])
      t.match(await store.facets(filter, ['route'], 1), [{ values: [{ value: '/CART', count: 3 }] }])
      const { facets } = await store.counts(filter, minuteMs, ['route'], 3)
      t.strictSame(facets, [routes])
      for (const { value, count } of routes?.values ?? []) {
        const found = await store.events({
          window: testWindow,
          query: fieldEquals('route', value),
          limit: 10,
        })
        t.equal(found.events.length, count, value)
      }
    }
  })

  await t.test('the facet of an attribute counts the events that a search for each value finds', async t => {
    const store = await openStore(t, make)
    const long = 'long '.repeat(100)
    const attributes: Attributes[] = [
      ...['Acme', 'acme', 'b & "co" \\ *', '', 7, '7', '7.0', true, ['a', 1], null].map(tenant => ({
        tenant,
      })),
      { tenant: { name: 'Straße' }, other: 'acme' },
      { http: { agent: 'curl' } },
      { 'http.agent': 'CURL' },
      { http: { agent: 'wget' }, 'http.agent': 'shadowed' },
      { tenant: `${long}1` },
      { tenant: `${long}2` },
    ]
    await store.append([
      ...attributes.map(each => anEvent({ attributes: each })),
      anEvent({ timeMs: noonMs - 7_200_000, attributes: { tenant: 'early' } }),
    ])
    const valuesOf = async (path: string, query = allEvents, limit = 100) => {
      const values = await store.attributeFacet({ window: testWindow, query }, path, limit)
      return values.map(({ value, count }) => [value, count])
    }
    const tenants: [string, number][] = [
      ['7', 2],
      ['Acme', 2],
      [long, 2],
      ['', 1],
      ['7.0', 1],
      ['["a",1]', 1],
      ['b & "co" \\ *', 1],
      ['true', 1],
      ['{"name":"Straße"}', 1],
    ]
    t.same(await valuesOf('tenant'), tenants)
    t.same(await valuesOf('tenant', allEvents, 2), tenants.slice(0, 2))
    t.same(await valuesOf('tenant.name'), [['Straße', 1]])
    t.same(await valuesOf('tenant.0'), [['a', 1]])
    t.same(await valuesOf('http.agent'), [
      ['CURL', 2],
      ['wget', 1],
    ])
    t.same(await valuesOf('Tenant'), [], 'names of attributes are case-sensitive')
    t.same(await valuesOf('tenant', { kind: 'attribute', path: 'other', comparison: '=', value: 'acme' }), [
      ['{"name":"Straße"}', 1],
    ])
    for (const [value, count] of tenants.filter(([value]) => value !== long)) {
      const query: Query = { kind: 'attribute', path: 'tenant', comparison: '=', value, literal: true }
      const { events } = await store.events({ window: testWindow, query, limit: 100 })
      t.equal(events.length, count, value)
    }
    const stopped = AbortSignal.abort()
    await t.rejects(
      store.attributeFacet({ window: testWindow, query: allEvents }, 'tenant', 10, stopped),
      stopped.reason,
    )
  })

  await t.test('counts returns the histogram and the facets of a search', async t => {
    const store = await openStore(t, make)
    await store.append([
      ...['b', 'a', 'b'].map(service => request({ service, severity: 'warn' })),
      anEvent({ timeMs: noonMs + minuteMs, attributes: { plan: 'pro' } }),
      anEvent({ timeMs: noonMs - 7_200_000 }),
    ])
    const queries: Query[] = [
      allEvents,
      { kind: 'text', text: 'basket' },
      { kind: 'attribute', path: 'plan', comparison: '=', value: 'pro' },
      { kind: 'text', text: 'nowhere' },
    ]
    for (const query of queries) {
      for (const fields of [facetFields, ['severity'] as const, []]) {
        const filter = { window: testWindow, query }
        t.strictSame(await store.counts(filter, minuteMs, fields, 2), {
          histogram: await store.histogram(filter, minuteMs),
          facets: await store.facets(filter, fields, 2),
          bySeverity: null,
        })
      }
    }
    const sinceYear1 = { ...testWindow, fromMs: Date.parse('0001-01-01T00:00:00Z') }
    const baskets = { window: sinceYear1, query: { kind: 'text', text: 'basket' } } as const
    const { histogram } = await store.counts(baskets, 36_500 * dayMs, [], 2)
    t.match(histogram.at(-1), { counts: { warn: 3, info: 2 } }, 'the window may start in the year 1')
    await t.rejects(store.counts({ window: testWindow, query: allEvents }, 0, [], 2), RangeError)
  })

  await t.test('counts can include the severities of a wider search', async t => {
    const store = await openStore(t, make)
    await store.append([
      ...['b', 'a', 'b'].map(service => request({ service, severity: 'warn' })),
      request({ service: 'a', severity: 'error', attributes: { plan: 'pro' } }),
      anEvent({ timeMs: noonMs + minuteMs, attributes: { plan: 'pro' } }),
      anEvent({ timeMs: noonMs + minuteMs, severity: 'error', body: 'Payment failed' }),
      anEvent({ timeMs: noonMs - 7_200_000 }),
    ])
    const basket: Query = { kind: 'text', text: 'basket' }
    const plan: Query = { kind: 'attribute', path: 'plan', comparison: '=', value: 'pro' }
    const [errors, ofB] = [fieldEquals('severity', 'error'), fieldEquals('service', 'b')]
    const basketOfB: Query = { kind: 'and', left: basket, right: ofB }
    const searches: { query: Query; wider: Query }[] = [
      { query: errors, wider: allEvents },
      { query: { kind: 'and', left: errors, right: ofB }, wider: ofB },
      { query: { kind: 'and', left: basket, right: errors }, wider: basket },
      { query: { kind: 'and', left: { kind: 'not', query: errors }, right: plan }, wider: plan },
      { query: { kind: 'and', left: basketOfB, right: fieldEquals('severity', 'warn') }, wider: basketOfB },
      {
        query: { kind: 'and', left: errors, right: { kind: 'or', left: errors, right: basket } },
        wider: basket,
      },
      { query: basket, wider: basket },
    ]
    for (const { query, wider } of searches) {
      for (const fields of [facetFields, ['severity'] as const, []]) {
        const filter = { window: testWindow, query }
        const [bySeverity] = await store.facets({ window: testWindow, query: wider }, ['severity'], 6)
        t.strictSame(await store.counts({ ...filter, wider }, minuteMs, fields, 2), {
          histogram: await store.histogram(filter, minuteMs),
          facets: await store.facets(filter, fields, 2),
          bySeverity: bySeverity?.values,
        })
      }
    }
  })

  await t.test('request metrics count requests only', async t => {
    const store = await openStore(t, make)
    await store.append([
      ...Array.from({ length: 101 }, (_, durationMs) =>
        request({ durationMs, status: durationMs === 7 ? 500 : 499 }),
      ),
      anEvent({ status: 500 }),
      anEvent({ durationMs: 1e6 }),
      request({ service: 'other', route: null, method: null, durationMs: 4, timeMs: noonMs + minuteMs }),
    ])
    const shop = { requests: 101, errors: 1, p50Ms: 50, p95Ms: 95, p99Ms: 99 }
    const other = { requests: 1, errors: 0, p50Ms: 4, p95Ms: 4, p99Ms: 4 }
    const none = { requests: 0, errors: 0, p50Ms: null, p95Ms: null, p99Ms: null }
    const totalOf = async (service: string | null) =>
      (await store.requestSeries({ window, service }, minuteMs)).total
    t.strictSame(withinPercent([await totalOf('shop')], [shop]), [shop])
    t.match(await totalOf(null), { requests: 102, errors: 1 })
    t.strictSame(await totalOf('none'), none)
    const except = await store.requestSeries({ window, service: null, except: 'shop' }, minuteMs)
    t.match(except.total, { requests: 1, errors: 0 })
    const series = [
      { startMs: noonMs, ...none },
      { startMs: noonMs + minuteMs, ...other },
      { startMs: noonMs + 2 * minuteMs, ...none },
    ]
    const { buckets } = await store.requestSeries({ window, service: 'other' }, minuteMs)
    t.strictSame(withinPercent(buckets, series), series)
    const routes = [
      { service: 'shop', method: 'GET', route: '/cart', ...shop },
      { service: 'other', method: null, route: null, ...other },
    ]
    t.strictSame(withinPercent(await store.routeMetrics({ window, service: null }, 10), routes), routes)
    t.equal((await store.routeMetrics({ window, service: null }, 1)).length, 1)
    const others = await store.routeMetrics({ window, service: null, except: 'shop' }, 10)
    t.match(others, [{ service: 'other' }])
    t.equal(others.length, 1)
  })

  await t.test('requestSeries counts requests by bucket and duration band', async t => {
    const store = await openStore(t, make)
    await store.append([
      ...[0, 0.09, 1, 1.49, 1.5, 1.5, 5000, 1e9].map(durationMs => request({ durationMs })),
      request({ durationMs: 3, timeMs: window.toMs - 0.001 }),
      request({ durationMs: 3, timeMs: window.toMs }),
      request({ durationMs: 3, service: 'other' }),
      anEvent({ durationMs: 3 }),
    ])
    const cellsOf = async (service: string) => {
      const { cells } = await store.requestSeries({ window, service }, minuteMs)
      return cells.map(({ bucket, band, requests }) => [bucket, durationEdgesMs[band - 1], requests])
    }
    t.strictSame(await cellsOf('shop'), [
      [0, undefined, 2],
      [0, 1, 2],
      [0, 1.5, 2],
      [0, 4000, 1],
      [0, 100_000, 1],
      [2, 2.5, 1],
    ])
    t.strictSame(await cellsOf('other'), [[0, 2.5, 1]])
    await t.rejects(store.requestSeries({ window, service: null }, 0), RangeError)
  })

  await t.test('releaseStarts returns the releases that start in the window', async t => {
    const store = await openStore(t, make)
    const at = (minutes: number, service: string, release: string | null) =>
      anEvent({ timeMs: noonMs + minutes * minuteMs, service, release })
    await store.append([
      // Release 1 is older than the window, and the service was rolled back to it.
      at(-50, 'api', '1'),
      at(1.5, 'api', '2'),
      at(2, 'api', '1'),
      at(1, 'api', '2'),
      // The first events of a service are not the start of a release.
      at(0, 'new', '7'),
      at(2, 'new', '8'),
      // The service had no release at first.
      at(0, 'web', null),
      at(1, 'web', '3'),
      at(-1, 'cron', null),
      at(0, 'cron', '4'),
      at(3, 'late', '9'),
    ])
    const starts = [
      { service: 'new', release: '8', firstSeenMs: noonMs + 2 * minuteMs },
      { service: 'api', release: '2', firstSeenMs: noonMs + minuteMs },
      { service: 'web', release: '3', firstSeenMs: noonMs + minuteMs },
      { service: 'cron', release: '4', firstSeenMs: noonMs },
    ]
    t.strictSame(await store.releaseStarts({ window, service: null }), starts)
    t.strictSame(await store.releaseStarts({ window, service: 'api' }), starts.slice(1, 2))
    t.strictSame(await store.releaseStarts({ window, service: 'none' }), [])
  })

  await t.test('webVitals summarises the measurements of each route', async t => {
    const store = await openStore(t, make)
    const vital = (name: string, value: unknown, overrides: Partial<NewEvent> = {}) =>
      anEvent({
        source: 'browser',
        route: '/cart',
        attributes: { vital: { name, value: value === undefined ? null : String(value) } },
        ...overrides,
      })
    await store.append([
      ...[1000, 2000, 3000, 4000, 5000].map(value => vital('LCP', value)),
      vital('LCP', 9000, { timeMs: noonMs + 2 * minuteMs }),
      vital('CLS', 0.125, { attributes: { vital: { name: 'CLS', value: 0.125 }, other: 1 } }),
      vital('TTFB', 80, { service: 'sixpane', source: 'own', route: null }),
      // These are ignored.
      vital('FID', 10),
      vital('INP', -1),
      vital('INP', 'soon'),
      vital('INP', 'NaN'),
      vital('INP', 'Infinity'),
      vital('INP', undefined),
      vital('INP', 10, { source: 'ndjson' }),
      vital('INP', 10, { timeMs: window.toMs }),
      anEvent({ source: 'browser', attributes: { vital: 'INP' } }),
    ])
    const cart = [
      { service: 'shop', route: '/cart', name: 'CLS', count: 1, p75: 0.125, sparkline: [0.125, null, null] },
      { service: 'shop', route: '/cart', name: 'LCP', count: 6, p75: 4750, sparkline: [4000, null, 9000] },
    ]
    t.strictSame(await store.webVitals({ window, service: null }, minuteMs, 2), [
      ...cart,
      { service: 'sixpane', route: null, name: 'TTFB', count: 1, p75: 80, sparkline: [80, null, null] },
    ])
    t.strictSame(await store.webVitals({ window, service: null }, minuteMs, 1), cart)
    t.strictSame(await store.webVitals({ window, service: 'web' }, minuteMs, 2), [])
  })

  await t.test('sessions sums the sessions of each release', async t => {
    const store = await openStore(t, make)
    const counted = (sessions: Attributes, overrides: Partial<NewEvent> = {}) =>
      anEvent({ source: 'sentry', release: '1.0.0', attributes: { sessions }, ...overrides })
    await store.append([
      counted({ started: 10, crashed: 0 }),
      counted({ started: 5, crashed: 2 }, { timeMs: noonMs + minuteMs }),
      counted({ started: 0, crashed: 1 }),
      counted({ started: 7, crashed: 0 }, { release: null }),
      counted({ started: 100, crashed: 4 }, { service: 'web', release: '2.0.0' }),
      // These are ignored.
      counted({ started: 1000, crashed: 1000 }, { source: 'ndjson' }),
      counted({ started: 1000, crashed: 1000 }, { timeMs: window.toMs }),
      counted({ started: 'many', crashed: -1 }),
      counted({ started: 'NaN', crashed: 'Infinity' }),
      counted({ started: 1e300, crashed: 1e300 }),
      counted({}),
    ])
    const shop = [
      { service: 'shop', release: '1.0.0', started: 15, crashed: 3 },
      { service: 'shop', release: null, started: 7, crashed: 0 },
    ]
    const web = { service: 'web', release: '2.0.0', started: 100, crashed: 4 }
    t.strictSame(await store.sessions({ window, service: null }, 10), [web, ...shop])
    t.strictSame(await store.sessions({ window, service: null }, 1), [web])
    t.strictSame(await store.sessions({ window, service: 'shop' }, 10), shop)
    t.strictSame(await store.sessions({ window, service: 'none' }, 10), [])
    t.strictSame(await store.webVitals({ window, service: null }, minuteMs, 10), [])
  })

  await t.test('attributeSeries returns numeric attributes over time', async t => {
    const store = await openStore(t, make)
    const at = (minutes: number, attributes: Attributes, service = 'shop') =>
      anEvent({ timeMs: noonMs + minutes * minuteMs, service, attributes })
    await store.append([
      at(0, { heap: { used: 3 }, lines: '7' }),
      at(0.5, { heap: { used: 5 }, lines: 1 }),
      at(2, { 'heap.used': 9, lines: 'many' }),
      at(2, { heap: { used: 100 } }, 'other'),
      at(2.5, { heap: { used: 100 } }),
    ])
    const query = { kind: 'field', field: 'service', comparison: '=', value: 'shop' } as const
    const series = await store.attributeSeries(
      { window, query },
      [
        { path: 'heap.used', aggregate: 'mean' },
        { path: 'heap.used', aggregate: 'highest' },
        { path: 'lines', aggregate: 'sum' },
        { path: 'none', aggregate: 'sum' },
      ],
      minuteMs,
    )
    t.strictSame(series, [
      [4, null, 9],
      [5, null, 9],
      [8, null, null],
      [null, null, null],
    ])
  })

  await t.test('services and seenSources summarise each service', async t => {
    const store = await openStore(t, make)
    await store.append([
      request({ service: 'api', release: '1', timeMs: noonMs + 1, durationMs: 30 }),
      request({ service: 'api', release: '2', timeMs: noonMs + minuteMs, status: 500, durationMs: 30 }),
      anEvent({ service: 'api', timeMs: noonMs + minuteMs + 0.5, fingerprint: 'f1', source: 'otlp' }),
      anEvent({ service: 'web', timeMs: noonMs }),
      anEvent({ service: 'late', timeMs: window.toMs }),
    ])
    const services = [
      {
        service: 'api',
        release: '2',
        events: 3,
        failures: 1,
        requests: 2,
        errors: 1,
        p50Ms: 30,
        p95Ms: 30,
        p99Ms: 30,
        sparkline: [1, 2, 0],
        lastSeenMs: noonMs + minuteMs + 0.5,
      },
      {
        service: 'web',
        release: null,
        events: 1,
        failures: 0,
        requests: 0,
        errors: 0,
        p50Ms: null,
        p95Ms: null,
        p99Ms: null,
        sparkline: [1, 0, 0],
        lastSeenMs: noonMs,
      },
    ]
    t.strictSame(withinPercent(await store.services(window, minuteMs), services), services)
    const seenAt = (timeMs: number) => ({ firstSeenMs: timeMs, lastSeenMs: timeMs })
    t.strictSame(await store.seenSources(), [
      { service: 'api', source: 'ndjson', firstSeenMs: noonMs + 1, lastSeenMs: noonMs + minuteMs },
      { service: 'api', source: 'otlp', ...seenAt(noonMs + minuteMs + 0.5) },
      { service: 'late', source: 'ndjson', ...seenAt(window.toMs) },
      { service: 'web', source: 'ndjson', ...seenAt(noonMs) },
    ])
  })

  await t.test('a window that starts in 1970 contains no earlier events', async t => {
    const store = await openStore(t, make)
    await store.append([-1000, 1000].map(timeMs => request({ timeMs, fingerprint: 'f00dfeed01' })))
    const window = { fromMs: 0, toMs: dayMs }
    const bucketMs = dayMs / 8
    t.match(await store.services(window, bucketMs), [
      { events: 1, requests: 1, sparkline: [1, 0, 0, 0, 0, 0, 0, 0], lastSeenMs: 1000 },
    ])
    t.match(await store.failureCounts(window), { open: { failures: 1, occurrences: 1 } })
    t.match(await store.requestSeries({ window, service: null }, bucketMs), { total: { requests: 1 } })
    t.match(await store.routeMetrics({ window, service: null }, 10), [{ requests: 1 }])
    const { histogram } = await store.counts({ window, query: allEvents }, bucketMs, [], 1)
    t.match(histogram[0], { startMs: 0, counts: { info: 1 } })
  })

  await t.test('services and seenSources return at most 10,000 elements', async t => {
    const store = await openStore(t, make)
    const nameOf = (index: number) => `id-${String(index).padStart(5, '0')}`
    await store.append([
      ...Array.from({ length: 10_050 }, (_, index) =>
        anEvent({ service: nameOf(index), timeMs: noonMs + index }),
      ),
      anEvent({ service: 'shop', timeMs: noonMs, fingerprint: 'f1' }),
      anEvent({ service: 'web', timeMs: noonMs + 1 }),
      anEvent({ service: 'web', timeMs: noonMs + 20_000 }),
    ])
    const services = await store.services(window, minuteMs)
    t.equal(services.length, 10_000)
    t.match(services.slice(-2), [
      { service: 'shop', failures: 1, sparkline: [1, 0, 0] },
      { service: 'web', events: 2, sparkline: [2, 0, 0] },
    ])
    t.match(services[0], { service: nameOf(0), sparkline: [1, 0, 0] })
    const seen = await store.seenSources()
    t.equal(seen.length, 10_000)
    t.match([seen[0], seen.at(-1)], [{ service: nameOf(51) }, { service: 'web' }])
  })

  await t.test('releases lists the releases of services', async t => {
    const store = await openStore(t, make)
    await store.append([
      anEvent({ release: '1.0', timeMs: noonMs + 3 }),
      anEvent({ release: '1.0', timeMs: noonMs + 1 }),
      anEvent({ release: '1.1', timeMs: noonMs + 2 }),
      anEvent({ release: null }),
      anEvent({ service: 'api', release: '9' }),
      anEvent({ service: 'mail', release: '8' }),
    ])
    t.strictSame(await store.releases(['shop', 'api', 'nobody']), [
      { service: 'shop', release: '1.1', firstSeenMs: noonMs + 2 },
      { service: 'shop', release: '1.0', firstSeenMs: noonMs + 1 },
      { service: 'api', release: '9', firstSeenMs: noonMs },
    ])
    t.same(await store.releases([]), [])
  })
}
