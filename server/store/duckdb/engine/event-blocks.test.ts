import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import type { Attributes, EventRow, LogEvent } from '../../../../shared/event.ts'
import { failureStates as states } from '../../../../shared/failure.ts'
import { fieldEquals, type Query } from '../../../../shared/query.ts'
import { failureCounts, failures } from '../../common/metrics/failures.ts'
import { services } from '../../common/metrics/services.ts'
import { grainUs } from '../../common/metrics/times.ts'
import { countEvents } from '../../common/metrics/visit-blocks.ts'
import { createMutex } from '../../common/mutex.ts'
import { releaseStarts, releases } from '../../common/releases.ts'
import { seenSources } from '../../common/seen-sources.ts'
import { anEvent } from '../../conformance/testing.ts'
import { type EventPage, facetFields } from '../../event-store.ts'
import { openMemoryStore } from '../../memory/store.ts'
import type { Store } from '../../store.ts'
import { attributeSeries } from '../events/attribute-series.ts'
import { counts } from '../events/counts.ts'
import { eventPage } from '../events/event-page.ts'
import { eventReader } from '../events/event-reader.ts'
import { facets } from '../events/facets.ts'
import { histogram } from '../events/histogram.ts'
import { webVitals } from '../events/vitals.ts'
import { failureReader } from '../failures/failure-reader.ts'
import { createFailureStates } from '../failures/failure-states.ts'
import { rowShape } from '../sql/event-rows.ts'
import type { Source } from '../sql/source.ts'
import { type Database, openDatabase } from './database.ts'
import { createEventBlocks } from './event-blocks.ts'
import type { ReadEventBlocks } from './read-event-blocks.ts'
import { createBlockCache, SegmentBlocks } from './segment-blocks.ts'

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000]
const startMs = Date.UTC(2026, 0, 1)

const event = fc.record({
  agoMs: fc.integer({ min: 0, max: 6 * hourMs }),
  severity: fc.constantFrom('info', 'error'),
  service: fc.constantFrom('shop', 'Shop', 'mail', 'İ'),
  release: fc.constantFrom(null, '1', '2'),
  route: fc.constantFrom(null, '/', '/cart'),
  status: fc.constantFrom(null, 200, 500),
  durationMs: fc.constantFrom(null, 5),
  fingerprint: fc.constantFrom(null, 'f1', 'f2', 'f3'),
  source: fc.constantFrom('ndjson' as const, 'browser' as const),
  attributes: fc.constantFrom<Attributes>(
    {},
    { vital: { name: 'LCP', value: 1200 } },
    { vital: { name: 'LCP', value: 2300 } },
    { vital: { name: 'CLS', value: 0.1 } },
    { heap: { used: 7 } },
    { 'heap.used': '9' },
  ),
})
const fingerprint = fc.constantFrom('f1', 'f2', 'f3')

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('append' as const),
      events: fc.array(event, { maxLength: 40 }),
    }),
  },
  fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 0, max: dayMs }) }),
  fc.record({ kind: fc.constant('mute' as const), id: fingerprint }),
  fc.record({ kind: fc.constant('merge' as const), id: fingerprint, into: fingerprint }),
  fc.constant({ kind: 'retain' as const }),
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

async function apply(
  store: Pick<Store, 'failureStates' | 'retain'> & {
    append(events: ReturnType<typeof anEvent>[]): Promise<unknown>
  },
  step: Step,
  nowMs: number,
): Promise<unknown> {
  switch (step.kind) {
    case 'append':
      return store.append(
        step.events.map(({ agoMs, ...fields }) => anEvent({ ...fields, timeMs: nowMs - agoMs })),
      )
    case 'mute':
      return store.failureStates.setState(step.id, 'muted', nowMs)
    case 'merge':
      return store.failureStates.merge(step.id, step.into)
    case 'retain':
      return store.retain({ maxAgeMs: dayMs, maxBytes: 1e12 }, nowMs)
    case 'pass':
      return null
  }
}

const fieldQuery: fc.Arbitrary<Query> = fc.oneof(
  fc
    .constantFrom('shop', 'SHOP', 'i', 's*')
    .map<Query>(value => ({ kind: 'field', field: 'service', comparison: '=', value })),
  fc.constantFrom('/', '/cart').map(route => fieldEquals('route', route)),
  fc
    .constantFrom('=', '<', '>=')
    .map<Query>(comparison => ({ kind: 'field', field: 'severity', comparison, value: 'error' })),
  fc
    .constantFrom('=', '<', '>=')
    .map<Query>(comparison => ({ kind: 'field', field: 'status', comparison, value: 500 })),
  fc
    .constantFrom(...states, 'f1', 'f2')
    .map<Query>(value => ({ kind: 'field', field: 'failure', comparison: '=', value })),
  fc
    .constantFrom('f1', 'F2', 'f*')
    .map<Query>(value => ({ kind: 'field', field: 'fingerprint', comparison: '=', value })),
  fc.constant<Query>({ kind: 'text', text: 'basket' }),
)
const query: fc.Arbitrary<Query> = fc.oneof(
  fc.constant<Query>({ kind: 'all' }),
  fieldQuery,
  fieldQuery.map<Query>(query => ({ kind: 'not', query })),
  fc
    .tuple(fc.constantFrom('and', 'or'), fieldQuery, fieldQuery)
    .map<Query>(([kind, left, right]) => ({ kind, left, right })),
)
const view = fc.record({
  agoMs: fc.integer({ min: 0, max: 2 * hourMs }),
  durationMs: fc.integer({ min: minuteMs, max: 8 * hourMs }),
  bucketMs: fc.constantFrom(10 * minuteMs, 30 * minuteMs, 5 * hourMs + 1),
  query,
  state: fc.constantFrom(null, ...states),
  service: fc.constantFrom(null, 'shop'),
  text: fc.constantFrom(null, 'error'),
})
type View = typeof view extends fc.Arbitrary<infer Value> ? Value : never

/** The metrics that pages show for a window. */
function metricsOf(toMs: number, { durationMs, bucketMs, query, state, service, text }: View) {
  const window = { fromMs: toMs - durationMs, toMs }
  const series = [
    { path: 'heap.used', aggregate: 'sum' },
    { path: 'heap.used', aggregate: 'highest' },
  ] as const
  const failureQuery = { window, bucketMs, sort: 'frequent', state, service, text, limit: 10 } as const
  return {
    ofStore: async (store: Store) => [
      await store.histogram({ window, query }, bucketMs),
      await store.facets({ window, query }, facetFields, 10),
      await store.counts({ window, query }, bucketMs, facetFields, 10),
      timesOf(await store.events({ window, query, limit: 7 })),
      await store.services(window, bucketMs),
      await store.failures(failureQuery),
      await store.failureCounts(window),
      await store.webVitals({ window, service }, bucketMs, 2),
      await store.attributeSeries({ window, query }, series, bucketMs),
      await store.releaseStarts({ window, service }),
      await store.releases(['shop', 'mail']),
      await store.seenSources(),
    ],
    ofSource: async (source: Source) => [
      await histogram(source, { window, query }, bucketMs),
      await facets(source, { window, query }, facetFields, 10),
      await counts(source, { window, query }, bucketMs, facetFields, 10),
      timesOf(await eventPage(source, { window, query, limit: 7 }, rowShape([]))),
      await services(eventReader(source), window, bucketMs),
      await failures(failureReader(source), failureQuery),
      await failureCounts(eventReader(source), window),
      await webVitals(source, { window, service }, bucketMs, 2),
      await attributeSeries(source, { window, query }, series, bucketMs),
      await releaseStarts(source, { window, service }),
      await releases(source, ['shop', 'mail']),
      await seenSources(source),
    ],
  }
}

/** Returns the times and services of events. Their ids differ between stores. */
function timesOf({ events }: EventPage<EventRow>) {
  return events.map(({ timeMs, service }) => ({ timeMs, service }))
}

t.test('property: metrics computed from memory equal those computed from files', async t => {
  const folder = t.testdir()
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(step, view), { minLength: 5, maxLength: 12 }), async steps => {
      let clockMs = startMs
      const nowMs = () => clockMs
      const path = await mkdtemp(join(folder, 'store-'))
      const database = await openDatabase(path, { memoryBytes: null, nowMs, logger: undefined })
      const memory = openMemoryStore({ nowMs })
      const stored = {
        append: (events: ReturnType<typeof anEvent>[]) => database.append(events, []),
        retain: database.retain,
        failureStates: createFailureStates({ ...database, withGroupingLock: createMutex() }),
      }
      const small = smallCache(database)
      try {
        for (const [step, view] of steps) {
          if (step.kind === 'pass') clockMs += step.ms
          await apply(stored, step, clockMs)
          await apply(memory, step, clockMs)
          const { ofStore, ofSource } = metricsOf(clockMs - view.agoMs, view)
          const expected = await ofStore(memory)
          const inFiles = async () => null
          for (const replaced of [
            {},
            { eventBlocks: small.read },
            { eventBlocks: countsOf(small.read) },
            { eventBlocks: inFiles, samplesCached: inFiles },
          ]) {
            const actual = await database.reading(undefined, source => ofSource({ ...source, ...replaced }))
            t.strictSame(actual, expected)
          }
        }
      } finally {
        await Promise.all([database.close(), memory.close()])
      }
    }),
    { numRuns: 6 },
  )
})

function withResolver(): [Promise<void>, () => void] {
  let release = () => {}
  const released = new Promise<void>(resolve => {
    release = resolve
  })
  return [released, release]
}

/** Makes the cache read new events from files. */
const noRecentEvents = { since: () => null }

/** Creates a cache that is so small that blocks are often evicted. */
function smallCache({ reading }: Database) {
  return createEventBlocks(query => reading(undefined, source => source.read(query)), noRecentEvents, 20_000)
}

/** For ranges longer than half an hour, returns only counts, as if these ranges had too many events. */
function countsOf(read: ReadEventBlocks): ReadEventBlocks {
  return async (segment, times, subset, maxEvents) => {
    const isLong = times.some(({ fromUs, toUs }) => toUs - fromUs > grainUs)
    return isLong && !subset.isCounted ? null : read(segment, times, subset, maxEvents)
  }
}

t.test('reads events from files if there are too many events or groups', async t => {
  const database = await emptyDatabase(t)
  await database.append(
    Array.from({ length: 20_001 }, (_, index) => anEvent({ timeMs: startMs, route: `/order/${index}` })),
    [],
  )
  const times = [{ fromUs: startMs * 1000, toUs: startMs * 1000 + 1 }]
  await database.reading(undefined, async source => {
    const [segment] = source.segments.all()
    if (segment === undefined) throw new Error('There is no segment')
    const all = { afterId: -1, onlyFailures: false, isCounted: false }
    t.equal(await source.eventBlocks(segment, times, all, 20_000), null)
    t.equal(await source.eventBlocks(segment, times, all, 30_000), null)
    const cache = createBlockCache(100_000_000)
    const cached = { cache, readResult: source.read, recentEvents: noRecentEvents }
    const counted = new SegmentBlocks('counted', segment, { ...all, isCounted: true }, cached)
    t.equal(await counted.read(segment, times, 30_000), null)
    t.equal(cache.calculatedSize, 0, 'groups that cannot be used are freed')
    t.same(await source.eventBlocks(segment, times, { ...all, onlyFailures: true }, 1), [
      { fromUs: startMs * 1000, chunks: [] },
    ])
    const window = { fromMs: startMs, toMs: startMs + 1 }
    t.match(await services(eventReader(source), window, 1), [
      { service: 'shop', events: 20_001, sparkline: [20_001] },
    ])
  })
})

t.test('evicts blocks whose groups use too much memory, even while the blocks are being read', async t => {
  const database = await emptyDatabase(t)
  const append = (path: string, count: number) =>
    database.append(
      Array.from({ length: count }, (_, index) => anEvent({ timeMs: startMs, route: `${path}${index}` })),
      [],
    )
  await append('/order/', 100)
  const [released, release] = withResolver()
  let queries = 0
  await database.reading(undefined, async source => {
    const blocks = createEventBlocks(
      async query => {
        queries += 1
        if (queries === 4) await released
        return source.read(query)
      },
      noRecentEvents,
      80_000,
    )
    const times = [{ fromUs: startMs * 1000, toUs: startMs * 1000 + 1 }]
    const countGroups = async (isCounted: boolean) => {
      const [segment] = source.segments.all()
      if (segment === undefined) throw new Error('There is no segment')
      const subset = { afterId: -1, onlyFailures: false, isCounted }
      const read = await blocks.read(segment, times, subset, 200)
      return (await countEvents([{ blocks: read ?? [], times, services: null }])).length
    }
    const queriesOf = async (isCounted: boolean) => {
      const before = queries
      await countGroups(isCounted)
      return queries - before
    }
    t.equal(await queriesOf(true), 1)
    t.equal(await queriesOf(true), 0)
    t.equal(await queriesOf(false), 1)
    t.equal(await queriesOf(true), 1)

    await append('/cart/', 50)
    const extended = countGroups(true)
    t.equal(await countGroups(false), 150)
    release()
    t.equal(await extended, 150)
    t.equal(await queriesOf(true), 0)
  })
})

t.test('a read that ends after its blocks were freed does not affect later reads', async t => {
  const database = await emptyDatabase(t)
  const times = [{ fromUs: startMs * 1000, toUs: startMs * 1000 + 1 }]
  const append = () => database.append([anEvent({ timeMs: startMs })], [])
  const [first] = await append()
  const [second] = await append()
  await append()
  const [released, release] = withResolver()
  let reads = 0
  await database.reading(undefined, async source => {
    const blocks = createEventBlocks(async query => {
      reads += 1
      const result = await source.read(query)
      if (reads === 1) await released
      return result
    }, noRecentEvents)
    const eventsAfter = async (event: LogEvent | undefined) => {
      const [segment] = source.segments.all()
      if (segment === undefined || event === undefined) throw new Error('There is no event')
      const subset = { afterId: event.id, onlyFailures: false, isCounted: false }
      const read = await blocks.read(segment, times, subset, 100)
      return read?.flatMap(({ chunks }) => chunks.map(({ offsetUs }) => offsetUs.length))
    }
    const slow = eventsAfter(second)
    t.same(await eventsAfter(first), [2])
    release()
    t.same(await slow, [1])
    await append()
    t.same(await eventsAfter(second), [2])
  })
})

t.test('reads events from files if a segment spans years', async t => {
  const database = await emptyDatabase(t)
  await database.append([anEvent({ timeMs: 0 }), anEvent({ timeMs: startMs })], [])
  const window = { fromMs: -8.64e15, toMs: 8.64e15 }
  await database.reading(undefined, async source => {
    t.match(await services(eventReader(source), window, 1e15), [{ service: 'shop', events: 2 }])
  })
})

async function emptyDatabase(t: Test): Promise<Database> {
  const database = await openDatabase(t.testdir(), {
    memoryBytes: null,
    nowMs: () => startMs,
    logger: undefined,
  })
  t.teardown(() => database.close())
  return database
}
