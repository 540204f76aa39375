import t from 'tap'
import type { Row } from '../../common/rows.ts'
import { maxTimes } from '../../common/service-times.ts'
import { anEvent } from '../../conformance/testing.ts'
import { createServiceTimes } from './service-times.ts'

const ofSource = (source: string, first_us: number, last_us: number): Row => ({
  ...{ service: 'shop', source, release: null, is_source: 1, first_us, last_us },
})
const ofRelease = (release: string | null, first_us: number, last_us: number): Row => ({
  ...{ service: 'shop', source: '', release, is_source: 0, first_us, last_us },
})

t.test(
  'pages at the same time share a query, whose result is cached until other replicas store events or events are deleted',
  async t => {
    let queries = 0
    let foreignChanges = 0
    const rows = [
      ofSource('sentry', 5, 50),
      ofRelease('2', 30, 40),
      ofRelease('1', 10, 20),
      ofRelease(null, 5, 50),
    ]
    const times = createServiceTimes({
      newest: { foreignChanges: () => foreignChanges },
      async select() {
        queries += 1
        return rows
      },
    })
    const [first, second] = await Promise.all([times.read(), times.read()])
    t.equal(first, second)
    t.equal(queries, 1)
    t.same(Object.fromEntries(first.sources.get('shop') ?? []), { sentry: { firstUs: 5, lastUs: 50 } })
    t.same(Object.fromEntries(first.releases.get('shop') ?? []), {
      2: { firstUs: 30, lastUs: 40 },
      1: { firstUs: 10, lastUs: 20 },
    })
    rows.push(ofSource('browser', 7, 7), ofRelease('3', 7, 7))
    foreignChanges += 1
    const { sources, releases } = await times.read()
    t.same(sources.get('shop')?.get('browser'), { firstUs: 7, lastUs: 7 })
    t.same(releases.get('shop')?.get('3'), { firstUs: 7, lastUs: 7 })
    t.equal(queries, 2)
    times.clear()
    await times.read()
    t.equal(queries, 3)
  },
)

t.test('a query that failed is repeated', async t => {
  let queries = 0
  const times = createServiceTimes({
    newest: { foreignChanges: () => 0 },
    async select() {
      queries += 1
      throw new Error('Too slow')
    },
  })
  await t.rejects(times.read(), /Too slow/)
  await t.rejects(times.read(), /Too slow/)
  t.equal(queries, 2)
})

/** Returns times that are read from these rows, and counts the queries. */
function timesOf(rows: () => readonly Row[]) {
  const counted = { queries: 0 }
  const times = createServiceTimes({
    newest: { foreignChanges: () => 0 },
    async select() {
      counted.queries += 1
      return [...rows()]
    },
  })
  return { ...times, counted }
}

const stored = (release: string, timeMs: number) => ({
  ...{ ...anEvent({ service: 'shop', source: 'otlp', release, timeMs }), id: 1 },
})

t.test('events that this replica stores are added without a query, even during a query', async t => {
  const { read, add, counted } = timesOf(() => [ofSource('otlp', 5000, 9000), ofRelease('1', 5000, 9000)])
  const reading = read()
  add([stored('1', 3), stored('2', 12)])
  await reading
  add([stored('2', 11)])
  const { sources, releases } = await read()
  t.same(sources.get('shop')?.get('otlp'), { firstUs: 3000, lastUs: 12_000 })
  t.same(releases.get('shop')?.get('1'), { firstUs: 3000, lastUs: 9000 })
  t.same(releases.get('shop')?.get('2'), { firstUs: 11_000, lastUs: 12_000 })
  t.equal(counted.queries, 1)
})

t.test('with too many releases, new ones are read, because older events may be unknown', async t => {
  const rows = Array.from({ length: maxTimes }, (_, index) => ofRelease(String(index), 5, 9))
  const { read, add, counted } = timesOf(() => rows)
  await read()
  add([stored('0', 8)])
  // The events are added asynchronously.
  await read()
  await read()
  t.equal(counted.queries, 2, 'the source is new')
  add([stored('new', 8)])
  await read()
  rows.push(ofRelease('new', 2, 8000))
  t.same((await read()).releases.get('shop')?.get('new'), { firstUs: 2, lastUs: 8000 })
})
