import t from 'tap'
import { name, sql } from '../../common/sql.ts'
import { anEvent } from '../../conformance/testing.ts'
import { openDatabase } from './database.ts'

const memoryBytes = 80e6
const batchEvents = 1000
/** The engine cannot write this aggregate's state to disk. */
const large = sql`SELECT len(list(range::VARCHAR)) AS length FROM range(${100_000_000})`
const usedMemory = sql`SELECT sum(memory_usage_bytes)::BIGINT AS bytes FROM duckdb_memory()`

t.test('if a query runs out of memory, no acknowledged events are lost, and the store recovers', async t => {
  const database = await openDatabase(t.testdir(), { memoryBytes, nowMs: Date.now, logger: undefined })
  t.teardown(() => database.close())
  const query = (fragment: typeof large) => database.reading(undefined, source => source.query(fragment))
  const append = () =>
    database.append(
      Array.from({ length: batchEvents }, () => anEvent()),
      [],
    )
  await append()
  const [before] = await query(usedMemory)

  let appended = batchEvents
  // Without free memory, appends fail at different steps.
  for (let round = 0; round < 3; round += 1) {
    let isRunning = true
    const failing = t.rejects(query(large), /Out of Memory/).finally(() => {
      isRunning = false
    })
    while (isRunning) {
      appended += await append().then(
        ({ length }) => length,
        () => 0,
      )
    }
    await failing
    appended += (await append()).length
  }

  const [after] = await query(usedMemory)
  t.ok(Number(after?.bytes) < Number(before?.bytes) + 30e6, `${before?.bytes} and ${after?.bytes} bytes`)
  const [row] = await query(
    sql`SELECT count(*) AS stored FROM ${name(database.segments.active().name)}.event`,
  )
  t.ok(Number(row?.stored) >= appended, `${row?.stored} of ${appended} acknowledged events`)
  t.equal(Number(row?.stored) % batchEvents, 0, 'each batch is stored completely or not at all')
  await database.check()
})

t.test('the memoryBytes option sets the memory limit', async t => {
  const limits = await Promise.all(
    [memoryBytes, null].map(async bytes => {
      const database = await openDatabase(`${t.testdir()}/${bytes}`, {
        memoryBytes: bytes,
        nowMs: Date.now,
        logger: undefined,
      })
      t.teardown(() => database.close())
      const limit = sql`SELECT current_setting('memory_limit') AS value`
      const [row] = await database.reading(undefined, source => source.query(limit))
      return row?.value
    }),
  )
  t.equal(limits[0], '76.2 MiB')
  t.not(limits[1], limits[0])
})
