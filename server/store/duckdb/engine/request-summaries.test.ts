import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { requestSeries } from '../../common/metrics/request-series.ts'
import { routeMetrics } from '../../common/metrics/route-metrics.ts'
import { anEvent } from '../../conformance/testing.ts'
import { durationEdgesMs } from '../../duration-edges.ts'
import { openMemoryStore } from '../../memory/store.ts'
import type { Store } from '../../store.ts'
import { eventReader } from '../events/event-reader.ts'
import { routeRequests } from '../events/route-requests.ts'
import { openDuckDbStore } from '../store.ts'
import { openDatabase } from './database.ts'
import { createRequestSummaries } from './request-summaries.ts'
import type { Segment } from './segments.ts'

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000]
const startMs = Date.UTC(2026, 0, 1)
const builds = [{ service: null, release: '1' }]
const exception = { type: 'Error', message: 'm', stack: 'Error: m\n    at t (main.js:1:1)' }

const request = fc.record({
  agoMs: fc.integer({ min: 0, max: 2 * dayMs }),
  service: fc.constantFrom('shop', 'mail'),
  method: fc.constantFrom(null, 'GET'),
  route: fc.constantFrom(null, '/', '/cart'),
  status: fc.constantFrom(null, 200, 500),
  durationMs: fc.oneof(
    fc.constantFrom(null, 0, ...durationEdgesMs),
    fc.double({ min: 0, max: 1e6, noNaN: true }),
  ),
})

/** One step of the test: requests arrive, time passes, source maps change fingerprints, or retention deletes events. */
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('append' as const),
      requests: fc.array(request, { minLength: 1, maxLength: 60 }),
      // Exceeds the limit on unsummarised events that a query reads from the active segment.
      others: fc.constantFrom(0, 0, 11_000),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 0, max: dayMs }) }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'regroup' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'retain' as const }) },
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

async function apply(store: Store, step: Step, nowMs: number): Promise<unknown> {
  if (step.kind === 'append') {
    const other = anEvent({ timeMs: nowMs - hourMs, release: '1', fingerprint: 'f1', exception })
    const requests = step.requests.map(({ agoMs, ...fields }) =>
      anEvent({ ...fields, timeMs: nowMs - agoMs }),
    )
    return store.append([...requests, ...Array.from({ length: step.others }, () => other)])
  }
  if (step.kind === 'regroup') {
    const stacks = await store.storedStacks(builds, 100)
    return store.regroup(
      builds,
      stacks.map(({ key }) => ({ key, fingerprint: `f${nowMs % 7}` })),
    )
  }
  if (step.kind === 'retain') return store.retain({ maxAgeMs: dayMs, maxBytes: 1e12 }, nowMs)
  return null
}

/** All metrics computed from the requests in a window. */
async function metrics(store: Store, fromMs: number, toMs: number, bucketMs: number, service: string | null) {
  const filter = { window: { fromMs, toMs }, service }
  return {
    series: await store.requestSeries(filter, bucketMs),
    routes: await store.routeMetrics(filter, 100),
    services: await store.services(filter.window, bucketMs),
    facets: await store.facets({ window: filter.window, query: { kind: 'all' } }, ['service', 'release'], 10),
    releases: await store.releaseStarts(filter),
  }
}

const view = fc.record({
  agoMs: fc.integer({ min: 0, max: dayMs }),
  durationMs: fc.integer({ min: minuteMs, max: 3 * dayMs }),
  alignMs: fc.constantFrom(1, 30 * minuteMs, 3 * hourMs),
  bucketMs: fc.constantFrom(10 * minuteMs, 30 * minuteMs, 3 * hourMs, 5 * hourMs + 1),
  service: fc.constantFrom(null, 'shop'),
})

t.test('property: metrics from summaries and events equal those of the in-memory store', async t => {
  const folder = t.testdir()
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(step, view), { minLength: 5, maxLength: 12 }), async steps => {
      let clockMs = startMs
      const nowMs = () => clockMs
      const stores = [
        await openDuckDbStore({ folder: await mkdtemp(join(folder, 'store-')), nowMs }),
        openMemoryStore({ nowMs }),
      ]
      try {
        for (const [step, { agoMs, durationMs, alignMs, bucketMs, service }] of steps) {
          if (step.kind === 'pass') clockMs += step.ms
          await Promise.all(stores.map(store => apply(store, step, clockMs)))
          const toMs = clockMs - agoMs
          const fromMs = Math.ceil((toMs - durationMs) / alignMs) * alignMs
          if (fromMs >= toMs) continue
          const [actual, expected] = await Promise.all(
            stores.map(store => metrics(store, fromMs, toMs, bucketMs, service)),
          )
          t.strictSame(actual, expected)
        }
      } finally {
        for (const store of stores) await store.close()
      }
    }),
    { numRuns: 5 },
  )
})

t.test('summarises only by service if there are too many routes', async t => {
  const store = await openDuckDbStore({ folder: t.testdir() })
  t.teardown(() => store.close())
  const total = 100_001
  const requests = Array.from({ length: total }, (_, index) =>
    anEvent({ timeMs: startMs, route: `/order/${index}`, status: 200, durationMs: 5 }),
  )
  await store.append(requests)
  const window = { fromMs: startMs - hourMs, toMs: startMs + hourMs }
  t.match(await store.requestSeries({ window, service: null }, hourMs), { total: { requests: total } })
  t.match(await store.routeMetrics({ window, service: null }, 1), [{ route: '/order/0', requests: 1 }])
  await store.append(requests.slice(0, 20_000))
  t.match(await store.requestSeries({ window, service: null }, hourMs), {
    total: { requests: total + 20_000 },
  })
  t.match(await store.routeMetrics({ window, service: null }, 1), [{ route: '/order/0', requests: 2 }])
})

t.test('the counts of the busiest routes are complete, even if there are many routes', async t => {
  let clockMs = startMs
  const store = await openDuckDbStore({ folder: t.testdir(), nowMs: () => clockMs })
  t.teardown(() => store.close())
  const requestsTo = (route: string | null, timeMs: number, count: number) =>
    Array.from({ length: count }, () => anEvent({ timeMs, route, status: 200, durationMs: 5 }))
  // The first segment is summarised by route, and the second one is read as events.
  for (const [segment, routes] of [30_000, 100_001].entries()) {
    clockMs = startMs + 2 * segment * dayMs
    const ids = Array.from({ length: routes }, (_, id) => requestsTo(`/order/${segment}/${id}`, clockMs, 1))
    await store.append([
      ...ids.flat(),
      ...requestsTo('/cart', clockMs, 20),
      ...requestsTo(null, clockMs, segment === 0 ? 1 : 15),
    ])
  }
  const window = { fromMs: startMs - hourMs, toMs: clockMs + hourMs }
  t.match(await store.routeMetrics({ window, service: null }, 2), [
    { route: '/cart', requests: 40 },
    { route: null, requests: 16 },
  ])
})

t.test('reads events if there are too many services', async t => {
  const store = await openDuckDbStore({ folder: t.testdir() })
  t.teardown(() => store.close())
  const total = 100_001
  await store.append(
    Array.from({ length: total }, (_, index) =>
      anEvent({ timeMs: startMs, service: `shop-${index}`, status: 200, durationMs: 5 }),
    ),
  )
  const window = { fromMs: startMs, toMs: startMs + hourMs }
  t.match(await store.requestSeries({ window, service: null }, hourMs), { total: { requests: total } })
  t.match(await store.requestSeries({ window, service: 'shop-7' }, hourMs), { total: { requests: 1 } })
})

t.test('counts the same requests if summaries are evicted', async t => {
  let clockMs = startMs
  const nowMs = () => clockMs
  const database = await openDatabase(t.testdir(), { memoryBytes: null, nowMs, logger: undefined })
  const memory = openMemoryStore({ nowMs })
  t.teardown(() => Promise.all([database.close(), memory.close()]))
  for (const day of [0, 2, 4]) {
    clockMs = startMs + day * dayMs
    const requests = Array.from({ length: 100 }, (_, index) =>
      anEvent({ timeMs: clockMs, route: `/${index % 20}`, status: 200, durationMs: index }),
    )
    await Promise.all([database.append(requests, []), memory.append(requests)])
  }
  const filter = { window: { fromMs: startMs - dayMs, toMs: clockMs + dayMs }, service: null }
  const expected = [await memory.requestSeries(filter, dayMs), await memory.routeMetrics(filter, 10)]
  for (const [maxBytes, summarised] of [
    [1, 0],
    [20_000, 1],
    [1e9, 2],
  ] as const) {
    await database.reading(undefined, async source => {
      const summaries = createRequestSummaries(source.read, maxBytes)
      const segments = source.segments.all()
      const read = (some: readonly Segment[]) => summaries.read(some, database.segments.active())
      const limited = { ...source, requestSummaries: read }
      for (let repeat = 0; repeat < 2; repeat += 1) {
        const actual = [
          await requestSeries(eventReader(limited), filter, dayMs),
          await routeMetrics(await routeRequests(limited, filter), 10),
        ]
        t.strictSame(actual, expected)
        const counted = (await read(segments)).filter(({ cells }) => cells.length > 0)
        t.equal(counted.length, summarised, `${maxBytes} bytes`)
      }
      if (summarised === 0) return
      // If only one summary fits, each read evicts the other one.
      for (const segment of [...segments.slice(0, 2), ...segments.slice(0, 2)]) {
        t.match(await read([segment]), [{ segment, cells: [{}] }])
      }
    })
  }
  await database.reading(undefined, async source => {
    const summaries = createRequestSummaries(source.read)
    const stopped = summaries.read(source.segments.all(), database.segments.active(), AbortSignal.abort())
    await t.rejects(stopped, { name: 'AbortError' })
  })
})

t.test('counts requests and events before 1970', async t => {
  let clockMs = startMs
  const store = await openDuckDbStore({ folder: t.testdir(), nowMs: () => clockMs })
  t.teardown(() => store.close())
  await store.append(
    [-0.5, -0.25, 0.25].map(hours => anEvent({ timeMs: hours * hourMs, status: 200, durationMs: 5 })),
  )
  // The next events go to a new segment, so the first one is summarised as a whole.
  clockMs += 2 * dayMs
  await store.append([anEvent({ timeMs: clockMs })])
  for (const [fromMs, toMs, expected] of [
    [-hourMs, 0, 2],
    [0, hourMs, 1],
  ] as const) {
    const window = { fromMs, toMs }
    t.match(await store.requestSeries({ window, service: null }, hourMs), { total: { requests: expected } })
    t.match(await store.facets({ window, query: { kind: 'all' } }, ['service'], 1), [
      { values: [{ count: expected }] },
    ])
  }
})
