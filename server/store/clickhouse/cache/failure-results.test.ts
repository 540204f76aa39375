import t from 'tap'
import { sql } from '../../common/sql.ts'
import { createFailureResults } from './failure-results.ts'

t.test('returns the same rows until failures change', async t => {
  let version = 0
  const results = createFailureResults({ failureVersion: async () => version })
  let queries = 0
  const select = (id: string) =>
    results.select(sql`SELECT ${id}`, async () => {
      queries += 1
      return [{ id, queries }]
    })
  t.same(await select('a'), [{ id: 'a', queries: 1 }])
  t.same(await select('a'), [{ id: 'a', queries: 1 }])
  t.same(await select('b'), [{ id: 'b', queries: 2 }], 'another value')
  version += 1
  t.same(await select('a'), [{ id: 'a', queries: 3 }])
})

t.test('does not cache errors and large results', async t => {
  const results = createFailureResults({ failureVersion: async () => 0 })
  const query = sql`SELECT 1`
  await t.rejects(results.select(query, () => Promise.reject(new Error('Connection lost'))))
  t.equal((await results.select(query, async () => [{ text: 'x'.repeat(500_000) }])).length, 1)
  t.same(await results.select(query, async () => []), [])
})
