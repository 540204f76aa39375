import t from 'tap'
import { StoreUnavailableError } from '../../store.ts'
import { statement } from '../sql/statement.ts'
import { layoutOf } from './cluster.ts'
import { parseServerAddress } from './server-address.ts'
import { prepareTables } from './tables.ts'

/** Prepares the tables of a database that an earlier version created. Returns the executed statements. */
async function update(url: string, version: number, lacksTables = false): Promise<string[]> {
  const address = parseServerAddress(url)
  if (address === null) throw new TypeError('Not a server address')
  const executed: string[] = []
  const unused = async () => {
    throw new Error('Not expected')
  }
  await prepareTables(address, {
    select: async () => [{ version }],
    execute: async command => {
      executed.push(statement(command).text)
    },
    insert: async () => {},
    change: unused,
    readText: unused,
    close: unused,
    layout: { ...layoutOf(address), lacksTables: async () => lacksTables },
  })
  return executed
}

t.test('an update starts to fill columns, indexes and projections after all other changes', async t => {
  for (const url of ['clickhouse://127.0.0.1/logs', 'clickhouse://127.0.0.1/logs?cluster=main']) {
    const executed = await update(url, 1)
    const isFill = executed.map(each => each.includes('MATERIALIZE '))
    t.ok(isFill.includes(true))
    t.same(isFill, isFill.toSorted(), executed.join('\n'))
  }
})

t.test('tables are not updated while a server of the cluster lacks them', async t => {
  const updating = update('clickhouse://127.0.0.1/logs?cluster=main', 6, true)
  await t.rejects(
    updating,
    new StoreUnavailableError(
      'A server of the ClickHouse cluster has no tables yet, so the tables cannot be updated: start the previous version of Sixpane once, and then this version',
    ),
  )
})
