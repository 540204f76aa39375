import t from 'tap'
import { addressOf, startClickHouse } from '../../../../scripts/test/clickhouse.ts'
import type { Row } from '../../common/rows.ts'
import { connect } from './connection.ts'
import { createIds } from './ids.ts'
import type { Columns } from './insert.ts'
import { openRecords } from './records.ts'
import { prepareTables } from './tables.ts'

const server = await startClickHouse(t)
const address = addressOf(server, `records_${process.pid}`)
const connection = connect(address)
t.teardown(connection.close)
await prepareTables(address, connection)

t.test('a refresh reads only recent records again', async t => {
  const columns: Columns = ['collection', 'key', 'value', 'version', 'is_deleted', 'stored_us']
  const store = (name: string, version: number, ageS: number) => {
    const value = JSON.stringify({ name, value: 'x', changedMs: 1 })
    const storedUs = (Date.now() - ageS * 1000) * 1000
    return connection.insert('record', columns, [['settings', name, value, version, 0, storedUs]])
  }
  await store('old', 1, 300)
  await store('less old', 2, 270)

  const reads: Row[][] = []
  const { access } = openRecords(
    {
      insert: connection.insert,
      async select(query, signal) {
        const rows = await connection.select(query, signal)
        reads.push(rows)
        return rows
      },
    },
    createIds(() => 0, Date.now),
    () => {},
  )
  const names = () => access(({ settings }) => [...settings.keys()])
  t.same(await names(), ['old', 'less old'])
  await store('recent', 3, 30)
  t.same(await names(), ['old', 'less old', 'recent'])
  t.same(await names(), ['old', 'less old', 'recent'])
  t.same(
    reads.map(rows => rows.map(({ key }) => key)),
    [['old', 'less old'], ['recent'], ['recent']],
  )
})
