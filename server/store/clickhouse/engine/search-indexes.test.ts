import t from 'tap'
import { addressOf, startClickHouse } from '../../../../scripts/test/clickhouse.ts'
import { fieldEquals, type Query } from '../../../../shared/query.ts'
import { sql } from '../../common/sql.ts'
import { anEvent, findMessages } from '../../conformance/testing.ts'
import { emptyState } from '../../state/state.ts'
import { compile } from '../sql/compile.ts'
import { openClickHouseStore } from '../store.ts'
import { connect } from './connection.ts'

t.test('ClickHouse reads only the granules that may contain the searched text', async t => {
  const address = addressOf(await startClickHouse(t), 'search_indexes')
  const store = await openClickHouseStore(address)
  const { select, close } = connect(address)
  t.teardown(async () => {
    await store.close()
    await close()
  })
  const hay = Array.from({ length: 6000 }, () => anEvent({ body: 'hay', attributes: { plan: 'free' } }))
  hay[5000] = anEvent({ body: 'a NEEDLE "\u212ak"', attributes: { plan: 'Gold' }, requestId: 'req-1' })
  await store.append(hay)

  const readGranules = async (query: Query) => {
    const rows = await select(sql`EXPLAIN indexes = 1
      SELECT count() FROM event WHERE ${compile(query, emptyState())}`)
    const text = rows.map(({ explain }) => explain).join('\n')
    return [...text.matchAll(/Granules: (\d+\/\d+)/g)].at(-1)?.[1]
  }
  const text = (words: string): Query => ({ kind: 'text', text: words })
  const plan: Query = { kind: 'attribute', path: 'plan', comparison: '=', value: 'gold' }
  for (const query of [text('needle'), text('dle "kk"'), text('REQ-1'), plan]) {
    t.equal(await readGranules(query), '1/3', JSON.stringify(query))
    t.same(await findMessages(store, query), ['a NEEDLE "\u212ak"'], JSON.stringify(query))
  }
  t.equal(await readGranules(text('nowhere')), '0/3')
  t.equal(await readGranules({ kind: 'or', left: text('nowhere'), right: plan }), '1/3')
  // Three granules share a filter of ids.
  t.equal(await readGranules(fieldEquals('request', 'REQ-1')), '3/3')
  for (const field of ['request', 'trace'] as const)
    t.equal(await readGranules(fieldEquals(field, 'req-2')), '0/3', field)
  const negated: Query = { kind: 'not', query: text('hay') }
  t.equal((await findMessages(store, negated)).length, 1)
  const { texts } = compile(negated, emptyState())
  t.notMatch(texts.join(''), /indexHint/, 'a negated condition has no index hint')

  const readColumns = async (query: Query) => {
    const rows = await select(
      sql`EXPLAIN actions = 1 SELECT count() FROM event WHERE ${compile(query, emptyState())}`,
    )
    return rows.map(({ explain }) => explain).join('\n')
  }
  const queries: Query[] = [plan, { kind: 'not', query: plan }, { kind: 'or', left: plan, right: plan }]
  for (const query of queries)
    t.notMatch(await readColumns(query), /Output: .*attributes/, JSON.stringify(query))
  t.match(await readColumns({ ...plan, value: 'gol*' }), /Output: .*attributes/)
})
