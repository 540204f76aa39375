import t from 'tap'
import type { NewEvent } from '../../shared/event.ts'
import { createClean } from '../events/clean.ts'
import { createNormalise } from '../events/normalise.ts'
import { parseQuery } from '../query/parse.ts'
import { selfMetrics } from '../screens/dashboard/self-metrics.ts'
import { openDuckDbStore } from '../store/duckdb/store.ts'
import { fakeContext } from '../testing/fake-context.ts'
import { measureProcess } from './process-metrics.ts'
import { selfMetricsQuery, selfMetricsSearch, startSelfMetrics } from './self-metrics.ts'

t.test('records metrics periodically as events that the dashboard finds', async t => {
  // Keeps the process alive, because the timer under test does not.
  const awake = setInterval(() => {}, 1000)
  t.teardown(() => clearInterval(awake))
  const store = await openDuckDbStore({ folder: t.testdir() })
  t.teardown(() => store.close())
  let onEvent = (_: NewEvent) => {}
  let counts = { accepted: 100, rejected: 3, ignored: {}, dropped: 0, perSecond: 0 }
  const fake = fakeContext()
  const stop = startSelfMetrics({
    ...fake,
    everyMs: 5,
    store,
    events: { ...fake.events, counts: () => counts, enqueueBestEffort: event => onEvent(event) },
    normalise: createNormalise(createClean([]), { fingerprint: () => '0123456789' }),
  })
  t.teardown(stop)

  const nextEvent = () =>
    new Promise<NewEvent>(resolve => {
      onEvent = resolve
    })
  counts = { ...counts, accepted: 160 }
  const first = await nextEvent()
  t.match(first, { source: 'own', service: 'sixpane', severity: 'debug', fingerprint: null })
  t.match(first.attributes, { ingest: { accepted: 60, refused: 0 }, store: { events: 0, questions: 0 } })
  t.notMatch(JSON.stringify(first.attributes), /\.\d{5}/, 'a long fraction could match a search for a digest')
  counts = { ...counts, accepted: 165, rejected: 5 }
  const second = await nextEvent()
  t.match(second.attributes, { ingest: { accepted: 5, refused: 2 } })
  await store.append([first, second])

  const window = { fromMs: first.timeMs - 1000, toMs: second.timeMs + 1000 }
  const { recorded } = await selfMetrics(
    { ...fake, store },
    { window, pointMs: 60_000 },
    new AbortController().signal,
  )
  const { series } = recorded
  t.same(series.accepted, [65])
  t.same(series.rejected, [2])
  t.ok((series.rssBytes?.[0] ?? 0) > 1e6)
  t.ok((series.diskBytes?.[0] ?? 0) > 0)
  t.equal(series.queryMs?.[0], null, 'no queries ran')

  const searched = parseQuery(selfMetricsSearch)
  t.ok('query' in searched)
  for (const query of [selfMetricsQuery, 'query' in searched ? searched.query : selfMetricsQuery]) {
    t.equal((await store.events({ window, query, limit: 10 })).events.length, 2)
  }
})

t.test('the event-loop delay does not include the time between two samples', async t => {
  let nowMs = 0
  t.intercept(performance, 'now', { value: () => nowMs })
  const delayFor = (percentileMs: number) => {
    const metrics = measureProcess({
      enable: () => true,
      disable: () => true,
      reset: () => {},
      percentile: () => percentileMs * 1e6,
    })
    nowMs += 1000
    return metrics.read().eventLoopDelayMs
  }
  t.equal(delayFor(23.5), 3.5)
  t.equal(delayFor(0), 0, 'no samples')
})
