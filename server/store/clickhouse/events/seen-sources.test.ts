import t from 'tap'
import type { Row } from '../../common/rows.ts'
import { createSeenSources } from './seen-sources.ts'

const newest = { id: () => 1, ids: () => [1] }
const filter = { window: { fromMs: 1000, toMs: 2000 }, service: null }

t.test('requests at the same time share a query, whose result is cached until events are stored', async t => {
  let queries = 0
  let ids = [1]
  const rows: Row[] = [{ service: 'shop', source: 'sentry', last_us: 1_500_000 }]
  const seen = createSeenSources({
    newest: { ...newest, ids: () => ids },
    async select() {
      queries += 1
      return rows
    },
  })
  t.same(
    await Promise.all([
      seen.mayBeIn(filter, ['sentry']),
      seen.mayBeIn(filter, ['browser']),
      seen.mayBeIn({ ...filter, service: 'pay' }, ['sentry']),
      seen.mayBeIn({ ...filter, window: { fromMs: 1501, toMs: 2000 } }, ['sentry']),
    ]),
    [true, false, false, false],
  )
  t.equal(queries, 1)
  rows.push({ service: 'shop', source: 'browser', last_us: 1_600_000 })
  ids = [1, 2]
  t.equal(await seen.mayBeIn(filter, ['browser']), true)
  t.equal(queries, 2)
})

t.test('events are read if it is unknown whether there are any, and the query is repeated', async t => {
  let queries = 0
  const seen = createSeenSources({
    newest,
    async select() {
      queries += 1
      throw new Error('Too slow')
    },
  })
  t.equal(await seen.mayBeIn(filter, ['sentry']), true)
  t.equal(await seen.mayBeIn(filter, ['sentry']), true)
  t.equal(queries, 2)
})
