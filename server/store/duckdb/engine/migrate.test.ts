import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import t, { type Test } from 'tap'
import { migrate } from './migrate.ts'

const first = ['CREATE TABLE event (body VARCHAR)', "INSERT INTO event VALUES ('old')"]
const second = ["ALTER TABLE event ADD COLUMN host VARCHAR DEFAULT 'none'"]

async function segment(t: Test): Promise<DuckDBConnection> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  t.teardown(() => {
    connection.closeSync()
    instance.closeSync()
  })
  await connection.run("ATTACH ':memory:' AS one")
  return connection
}

async function rows(connection: DuckDBConnection, text: string) {
  return (await connection.runAndReadAll(text)).getRowsJS()
}

t.test('migrates an older layout and preserves its rows', async t => {
  const connection = await segment(t)
  await migrate(connection, 'one', [first])
  await migrate(connection, 'one', [first, second])
  t.same(await rows(connection, 'FROM one.event'), [['old', 'none']])
  t.same(await rows(connection, 'FROM one.layout'), [[2]])
  await migrate(connection, 'one', [first, second])
  t.same(await rows(connection, 'FROM one.event'), [['old', 'none']], 'runs each step only once')
})

t.test('applies all steps or none', async t => {
  const connection = await segment(t)
  await migrate(connection, 'one', [first])
  await t.rejects(migrate(connection, 'one', [first, second, [...second, 'NONSENSE']]))
  t.same(await rows(connection, 'FROM one.event'), [['old']])
  t.same(await rows(connection, 'FROM one.layout'), [[1]])
  await migrate(connection, 'one', [first, second])
  t.same(await rows(connection, 'FROM one.event'), [['old', 'none']])
})
