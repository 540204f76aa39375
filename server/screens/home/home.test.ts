import t from 'tap'
import { dayMs } from '../../../shared/duration-units.ts'
import type { FailureRow } from '../../../shared/failure.ts'
import { aFailure } from '../../../shared/testing/a-failure.ts'
import type { SeenSource, ServiceMetrics } from '../../store/event-store.ts'
import { fakeContext, fakeRequest, testNowMs } from '../../testing/fake-context.ts'
import { home } from './home.ts'
import { pageLimit } from './services.ts'

const minuteMs = 60_000
const none = { failures: 0, occurrences: 0 }
const noFailures = { open: none, resolved: none, muted: none }
const noList = { failures: [], counts: noFailures, services: [] }

function metricsOf(service: string, overrides: Partial<ServiceMetrics> = {}): ServiceMetrics {
  return {
    service,
    release: '1.0.0',
    events: 900,
    requests: 900,
    errors: 0,
    failures: 0,
    p50Ms: 4,
    p95Ms: 20,
    p99Ms: 50,
    sparkline: [1, 2],
    lastSeenMs: testNowMs - 1000,
    ...overrides,
  }
}

/** A service whose first event is older than every window. */
function seen(service: string, overrides: Partial<SeenSource> = {}): SeenSource {
  return { service, source: 'ndjson', firstSeenMs: 0, lastSeenMs: testNowMs, ...overrides }
}

/** An open failure that occurred first and last in the last hour. */
const newFailure = aFailure({
  firstSeenMs: testNowMs - 30 * minuteMs,
  lastSeenMs: testNowMs - 30 * minuteMs,
  sparkline: [1],
})

async function contentOf(...parameters: Parameters<typeof home.get>) {
  const response = await home.get(...parameters)
  if (response.kind !== 'content') throw new Error('The home screen returned a redirect')
  return response.content
}

t.test('counts a failing service in the verdict and lists it first; also lists silent services', async t => {
  const content = await contentOf(
    fakeRequest(),
    fakeContext({
      store: {
        services: async () => [
          metricsOf('api'),
          metricsOf('basket', { errors: 9 }),
          metricsOf('shop', { errors: 90, failures: 14 }),
        ],
        seenSources: async () => [
          seen('api'),
          seen('mail', { lastSeenMs: testNowMs - 50 * minuteMs }),
          seen('mail', { source: 'otlp', lastSeenMs: testNowMs - 40 * minuteMs }),
        ],
        failures: async () => ({
          ...noList,
          // An occurrence may arrive between two queries. The sentence contains numbers from only one of them.
          counts: { ...noFailures, open: { failures: 3, occurrences: 15 } },
        }),
        failureCounts: async () => ({ ...noFailures, open: { failures: 1, occurrences: 1 } }),
      },
    }),
  )
  t.equal(
    content.verdict.sentence,
    '1 of 4 services is failing, 1 degraded: 3 failures occurred 15 times in the last 15 minutes, up from 1',
  )
  const { fromMs, toMs } = content.window
  const rate = 900_000 / (toMs - fromMs)
  t.same(
    content.services.map(row => [row.service, row.state, row.requestRate, row.errorRatio]),
    [
      ['shop', 'failing', rate, 0.1],
      ['basket', 'degraded', rate, 0.01],
      ['api', 'ok', rate, 0],
      ['mail', 'silent', null, null],
    ],
  )
  t.equal(content.services[3]?.lastSeenMs, testNowMs - 40 * minuteMs)
  t.equal(content.onlyOwn, false)
  t.same(content.connect, [])
})

t.test('takes linear time for many services', async t => {
  // Quadratic work would exceed the test's timeout.
  const names = Array.from({ length: 200_000 }, (_, index) => `service-${index}`)
  const services = async () => names.map(name => metricsOf(name))
  const content = await contentOf(fakeRequest(), fakeContext({ store: { services } }))
  t.match(content.omitted, [{ state: 'ok', count: names.length - content.services.length }])
})

t.test('omits Sixpane itself, unless it has failures or the URL contains `own=shown`', async t => {
  const shown = async (query: string, own: Partial<ServiceMetrics>) => {
    const metrics = [metricsOf('shop', { errors: 2 }), metricsOf('sixpane', own)]
    const context = fakeContext({
      store: { services: async () => metrics, seenSources: async () => [seen('shop')] },
    })
    const { services, ownEvents, verdict } = await contentOf(fakeRequest(query), context)
    const { sentence, search } = verdict
    return { services: services.map(({ service }) => service), ownEvents, sentence, search }
  }
  t.match(await shown('', { errors: 5 }), {
    services: ['shop'],
    ownEvents: 'hidden',
    sentence: /^shop is degraded: 2 5xx responses/,
    search: 'status:>=500 duration:*',
  })
  t.match(await shown('own=shown', { errors: 5 }), {
    services: ['sixpane', 'shop'],
    ownEvents: 'shown',
    sentence: /7 5xx responses/,
    search: 'status:>=500 duration:* source:*',
  })
  t.match(await shown('', { failures: 1 }), { services: ['sixpane', 'shop'], ownEvents: null })
})

t.test('with many services, lists the worst and counts the others by state', async t => {
  const many = (count: number, name: string, overrides: Partial<ServiceMetrics>) =>
    Array.from({ length: count }, (_, index) =>
      metricsOf(`${name}-${String(index).padStart(3, '0')}`, overrides),
    )
  const contextOf = (...metrics: ServiceMetrics[]) =>
    fakeContext({ store: { services: async () => metrics } })
  const states = async (query: string, ...metrics: ServiceMetrics[]) => {
    const { services, omitted } = await contentOf(fakeRequest(query), contextOf(...metrics))
    return [services.map(({ service }) => service.slice(0, 3)).join(' '), omitted]
  }
  const calm = many(180, 'calm', {})
  const failing = many(25, 'failing', { failures: 50 })
  t.same(await states('', ...calm), ['cal '.repeat(20).trim(), [{ state: 'ok', count: 160 }]])
  t.same(await states('', ...calm, ...failing), ['fai '.repeat(25).trim(), [{ state: 'ok', count: 180 }]])
  t.same(await states('', ...many(70, 'failing', { failures: 50 })), [
    'fai '.repeat(60).trim(),
    [{ state: 'failing', count: 10 }],
  ])
  t.match(await states('services=all', ...calm, ...failing), [/^(fai ){25}(cal ?){180}$/, []])
  t.match(
    await states('', ...calm, metricsOf('one', { failures: 3 }), metricsOf('two', { failures: 40 })),
    [/^two one cal/],
    'most failures first',
  )
})

t.test('lists all services in pages of limited length, each service exactly once', async t => {
  const total = 2 * pageLimit + 1
  const context = fakeContext({
    store: {
      services: async () =>
        Array.from({ length: total }, (_, index) => metricsOf(`service-${String(index).padStart(5, '0')}`)),
    },
  })
  const pageOf = async (query: string) => {
    const { services, page, omitted } = await contentOf(fakeRequest(`services=all${query}`), context)
    t.same(omitted, [])
    return { names: services.map(({ service }) => service), page }
  }
  const pages = [await pageOf(''), await pageOf('&page=2'), await pageOf('&page=3')]
  t.same(
    pages.map(({ names }) => names.length),
    [pageLimit, pageLimit, 1],
  )
  t.equal(new Set(pages.flatMap(({ names }) => names)).size, total)
  t.same(pages[1]?.page, { number: 2, count: 3, first: pageLimit + 1, total })
  for (const [query, number] of [
    ['&page=99', 3],
    ['&page=0', 1],
    ['&page=-1', 1],
    ['&page=1e9', 1],
    ['&page=99999999999', 1],
  ] as const) {
    t.equal((await pageOf(query)).page?.number, number, query)
  }
})

t.test('shows how to connect a service while Sixpane has only its own events', async t => {
  const content = await contentOf(
    fakeRequest('', { origin: 'https://logs.example' }),
    fakeContext({
      store: { seenSources: async () => [seen('sixpane', { source: 'own' })] },
    }),
  )
  t.equal(content.onlyOwn, true)
  t.match(content.connect[0]?.code, "curl 'https://logs.example/ingest'")
})

t.test('makes no statement about the services that a viewer may not see', async t => {
  const shownAfter = async (...seenSources: SeenSource[]) => {
    const { verdict, services, onlyOwn, connect } = await contentOf(
      fakeRequest('', { user: { name: 'Ada', role: 'viewer', services: ['shop', 'sixpane'] } }),
      fakeContext({ store: { seenSources: async () => seenSources } }),
    )
    t.equal(onlyOwn, false)
    t.same(connect, [])
    return [verdict.sentence, ...services.map(({ service }) => service)]
  }
  t.same(await shownAfter(), ['No events of the services that you may see.'])
  t.same(await shownAfter(seen('sixpane', { source: 'own' })), [
    'sixpane is silent: no events in the last 15 minutes',
    'sixpane',
  ])
})

t.test('an application that only sends browser events is a service', async t => {
  const content = await contentOf(
    fakeRequest(),
    fakeContext({
      store: {
        seenSources: async () => [
          seen('sixpane', { source: 'browser' }),
          seen('shop', { source: 'browser' }),
        ],
      },
    }),
  )
  t.equal(content.onlyOwn, false)
})

t.test('the range determines the window and the previous window of the same length', async t => {
  const windows: number[][] = []
  // The current time is 14:03:22.123, and windows start at round times.
  const hourLength = 60 * minuteMs + 22_123
  const quarterLength = 15 * minuteMs + 7123
  const context = fakeContext({
    store: {
      services: async (window, bucketMs) => {
        windows.push([testNowMs - window.fromMs, testNowMs - window.toMs, bucketMs])
        return []
      },
      failures: async ({ window }) => {
        windows.push([testNowMs - window.fromMs, testNowMs - window.toMs])
        return noList
      },
      failureCounts: async window => {
        windows.push([testNowMs - window.fromMs, testNowMs - window.toMs])
        return noFailures
      },
    },
  })
  await home.get(fakeRequest('range=1h'), context)
  t.same(windows.splice(0), [
    [hourLength, 0, Math.ceil(hourLength / 30)],
    [hourLength, 0],
    [2 * hourLength, hourLength],
  ])
  await home.get(fakeRequest('range=nonsense'), context)
  t.same(windows, [
    [quarterLength, 0, Math.ceil(quarterLength / 30)],
    [quarterLength, 0],
    [2 * quarterLength, quarterLength],
  ])
})

t.test('compares with the previous window only if all its events can still be stored', async t => {
  const verdictAt = async (range: string, ...firstSeenMs: number[]) => {
    const counts = { ...noFailures, open: { failures: 1, occurrences: 5 } }
    const { verdict } = await contentOf(
      fakeRequest(`range=${range}`),
      fakeContext({
        store: {
          services: async () => [metricsOf('shop', { failures: 5 })],
          seenSources: async () => firstSeenMs.map(firstMs => seen('shop', { firstSeenMs: firstMs })),
          failures: async () => ({ ...noList, counts }),
        },
      }),
    )
    return verdict.sentence
  }
  const daysAgo = (days: number) => testNowMs - days * dayMs
  t.match(await verdictAt('7d', daysAgo(20)), 'occurred 5 times in the last 7 days, up from 0')
  t.match(await verdictAt('7d', daysAgo(1), daysAgo(20)), 'up from 0', 'one service is new')
  t.match(await verdictAt('7d', daysAgo(13)), /5 times in the last 7 days$/, 'the first events are too new')
  t.match(await verdictAt('30d', daysAgo(90)), /5 times in the last 30 days$/, 'retention deletes the events')
})

t.test('marks a failure as new only if nothing shows that it occurred before the window', async t => {
  const isNew = async (failure: Partial<FailureRow>, range = '7d', firstSeenMs = testNowMs - 20 * dayMs) => {
    const { failures } = await contentOf(
      fakeRequest(`range=${range}`),
      fakeContext({
        store: {
          seenSources: async () => [seen('shop', { firstSeenMs })],
          failures: async () => ({ ...noList, failures: [{ ...newFailure, ...failure }] }),
        },
      }),
    )
    return failures[0]?.isNew
  }
  const [atMs, release] = [testNowMs - dayMs, '1.4.0']
  t.equal(await isNew({}), true)
  t.equal(await isNew({ firstSeenMs: testNowMs - 8 * dayMs }), undefined)
  t.equal(await isNew({ stateMs: atMs }), undefined, 'somebody muted and reopened it')
  t.equal(await isNew({ resolved: { release, atMs } }), undefined, 'it returned in a hidden service')
  t.equal(await isNew({}, '30d'), undefined, 'retention deletes earlier occurrences')
  t.equal(await isNew({}, '7d', testNowMs - 5 * dayMs), undefined, 'earlier occurrences are not stored')
})

t.test('lists only open failures', async t => {
  const states: unknown[] = []
  const context = fakeContext({
    store: {
      failures: async ({ state }) => {
        states.push(state)
        return noList
      },
    },
  })
  await home.get(fakeRequest(), context)
  t.same(states, ['open'])
})

t.test('passes the abort signal of the request to every query', async t => {
  const { signal } = new AbortController()
  const seen: unknown[] = []
  const context = fakeContext({
    store: {
      services: async (_window, _bucketMs, given) => {
        seen.push(given)
        return []
      },
      seenSources: async given => {
        seen.push(given)
        return []
      },
      failures: async (_query, given) => {
        seen.push(given)
        return noList
      },
      failureCounts: async (_window, given) => {
        seen.push(given)
        return noFailures
      },
    },
  })
  await home.get(fakeRequest('', { signal }), context)
  t.same(
    seen.map(given => given === signal),
    [true, true, true, true],
  )
})
