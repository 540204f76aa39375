import { availableParallelism } from 'node:os'
import t from 'tap'
import { sql } from '../../common/sql.ts'
import { anEvent } from '../../conformance/testing.ts'
import { openDatabase } from './database.ts'
import { startEngine } from './engine.ts'

t.test('queries use one thread, or all cores if there are many events', async t => {
  const folder = t.testdir()
  const open = () =>
    openDatabase(folder, { memoryBytes: null, nowMs: () => 1_800_000_000_000, logger: undefined })
  const threads = async (database: Awaited<ReturnType<typeof open>>) => {
    const rows = await database.reading(undefined, ({ query }) =>
      query(sql`SELECT current_setting('threads') AS threads`),
    )
    return Number(rows[0]?.threads)
  }
  const database = await open()
  t.teardown(() => database.close())
  await database.append(
    Array.from({ length: 20_000 }, () => anEvent()),
    [],
  )
  t.equal(await threads(database), 1)
  await database.append([anEvent()], [])
  t.equal(await threads(database), availableParallelism())
  await database.close()

  const reopened = await open()
  t.teardown(() => reopened.close())
  t.equal(await threads(reopened), availableParallelism())
})

t.test('queries can change only the number of threads, and cannot unlock other settings', async t => {
  const engine = await startEngine(t.testdir(), null)
  t.teardown(() => engine.close())
  const connection = await engine.connect()
  for (const setting of [
    "memory_limit = '1GB'",
    "allowed_configs = ['enable_external_access']",
    'enable_external_access = true',
  ]) {
    await t.rejects(connection.run(`SET ${setting}`), setting)
  }
})
