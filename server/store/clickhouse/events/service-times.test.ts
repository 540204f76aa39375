import t from 'tap'
import type { Row } from '../../common/rows.ts'
import { createServiceTimes } from './service-times.ts'

const ofSource = (source: string, first_us: number, last_us: number): Row => ({
  ...{ service: 'shop', source, release: null, is_source: 1, first_us, last_us },
})
const ofRelease = (release: string | null, first_us: number, last_us: number): Row => ({
  ...{ service: 'shop', source: '', release, is_source: 0, first_us, last_us },
})

t.test(
  'pages at the same time share a query, whose result is cached until events are stored or deleted',
  async t => {
    let queries = 0
    let ids = [1]
    const rows = [
      ofSource('sentry', 5, 50),
      ofRelease('2', 30, 40),
      ofRelease('1', 10, 20),
      ofRelease(null, 5, 50),
    ]
    const times = createServiceTimes({
      newest: { id: () => 1, ids: () => ids },
      async select() {
        queries += 1
        return rows
      },
    })
    const [first, second] = await Promise.all([times.read(), times.read()])
    t.equal(first, second)
    t.equal(queries, 1)
    t.same(Object.fromEntries(first.sources.get('shop') ?? []), { sentry: { firstUs: 5, lastUs: 50 } })
    t.same(Object.fromEntries(first.releases.get('shop') ?? []), { 2: { firstUs: 30 }, 1: { firstUs: 10 } })
    rows.push(ofSource('browser', 7, 7), ofRelease('3', 7, 7))
    ids = [1, 2]
    const { sources, releases } = await times.read()
    t.same(sources.get('shop')?.get('browser'), { firstUs: 7, lastUs: 7 })
    t.same(releases.get('shop')?.get('3'), { firstUs: 7 })
    t.equal(queries, 2)
    times.clear()
    await times.read()
    t.equal(queries, 3)
  },
)

t.test('a query that failed is repeated', async t => {
  let queries = 0
  const times = createServiceTimes({
    newest: { id: () => 1, ids: () => [1] },
    async select() {
      queries += 1
      throw new Error('Too slow')
    },
  })
  await t.rejects(times.read(), /Too slow/)
  await t.rejects(times.read(), /Too slow/)
  t.equal(queries, 2)
})
