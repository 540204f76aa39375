import { DuckDBInstance } from '@duckdb/node-api'
import t from 'tap'
import { sql } from '../../common/sql.ts'
import { createConnectionPool } from './connections.ts'

t.test('reads values and lists in any order, across the chunks of a result', async t => {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  t.teardown(() => {
    connection.closeSync()
    instance.closeSync()
  })
  const { readResult } = createConnectionPool([connection])
  const count = 5000
  const result = await readResult(sql`
    SELECT range AS number, [range, NULL, range + ${1}] AS items FROM range(${count}) ORDER BY range`)
  t.equal(result.rowCount, count)
  for (const row of [0, count - 1, 2048, 2047, 4999, 1]) {
    t.equal(Number(result.value(0, row)), row)
    const { length, at } = result.list(1, row)
    t.same(
      Array.from({ length }, (_, index) => at(index)),
      [BigInt(row), null, BigInt(row + 1)],
    )
  }
  t.throws(() => result.value(0, count), RangeError)
  t.throws(() => result.list(0, 0), TypeError)
  t.equal(Number(result.value(0, 0)), 0, 'reading a missing row does not affect later reads')
})
