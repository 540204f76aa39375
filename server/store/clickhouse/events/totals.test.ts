import t from 'tap'
import { addressOf, startClickHouse } from '../../../../scripts/test/clickhouse.ts'
import type { LogEvent } from '../../../../shared/event.ts'
import { anEvent, noonMs } from '../../conformance/testing.ts'
import { connect } from '../engine/connection.ts'
import { openClickHouseStore } from '../store.ts'
import { createTotals } from './totals.ts'

const server = await startClickHouse(t)

async function open() {
  const address = addressOf(server, `totals_${process.pid}`)
  const store = await openClickHouseStore(address)
  await store.append([anEvent(), anEvent({ timeMs: noonMs - 1000 })])
  const connection = connect(address)
  t.teardown(() => Promise.all([store.close(), connection.close()]))
  const changes = { queries: 0, foreign: 0 }
  const totals = createTotals({
    layout: connection.layout,
    async select(query) {
      changes.queries += 1
      return connection.select(query)
    },
    newest: { foreignChanges: () => changes.foreign },
  })
  return { totals, changes }
}

const stored = (timeMs: number): LogEvent => ({ ...anEvent({ timeMs }), id: 1 })

t.test('counts the events of this replica without a query', async t => {
  const { totals, changes } = await open()
  t.match(await totals.read(), { events: 2, oldestUs: (noonMs - 1000) * 1000 })
  const queriesPerRead = changes.queries
  await totals.addStored(async () => [stored(noonMs), stored(noonMs - 5000)])
  t.match(await totals.read(), { events: 4, oldestUs: (noonMs - 5000) * 1000 })
  t.equal(changes.queries, queriesPerRead)

  await t.test('queries again after other replicas have stored events', async t => {
    changes.foreign += 1
    t.match(await totals.read(), { events: 2 })
    t.equal(changes.queries, 2 * queriesPerRead)
  })

  await t.test('does not cache a result from the time of an insert', async t => {
    totals.clear()
    await totals.addStored(async () => {
      t.match(await totals.read(), { events: 2 })
      return [stored(noonMs)]
    })
    t.match(await totals.read(), { events: 2 })
    const queries = changes.queries
    await t.rejects(totals.addStored(() => Promise.reject(new Error('Connection lost'))))
    await totals.read()
    t.equal(changes.queries, queries + queriesPerRead, 'the events may have been stored')
    totals.clear()
    await totals.read()
    t.equal(changes.queries, queries + 2 * queriesPerRead)
  })
})
