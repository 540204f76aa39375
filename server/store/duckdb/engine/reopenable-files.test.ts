import { existsSync, statSync } from 'node:fs'
import t, { type Test } from 'tap'
import { sql } from '../../common/sql.ts'
import { anEvent, noonMs } from '../../conformance/testing.ts'
import { withLogOf } from './attach.ts'
import { openReopenableFiles } from './reopenable-files.ts'

async function open(t: Test) {
  const opened = await openReopenableFiles(t.testdir(), {
    memoryBytes: null,
    nowMs: () => noonMs,
    logger: undefined,
  })
  t.teardown(() => opened.files().engine.close())
  return opened
}

t.test(
  'queries that outlast their failed operation are interrupted before the store is reopened',
  async t => {
    const { files, recovery } = await open(t)
    const { runQuery, probe, workspace } = files()
    const endless = sql`SELECT count(*) FROM range(1000000000) a, range(1000000000) b WHERE a.range + b.range = ${-1}`
    const queries = [runQuery, runQuery, runQuery, runQuery, probe, workspace.query].map(run => run(endless))
    const settled = Promise.allSettled(queries)
    const failed = recovery.run(() => Promise.all([...queries, Promise.reject(new Error('Damaged'))]))
    await t.rejects(failed, { message: 'Damaged' })
    await recovery.replace('Test')
    t.ok((await settled).every(({ status }) => status === 'rejected'))
    t.same(await recovery.run(() => files().runQuery(sql`SELECT ${1} AS one`)), [{ one: 1n }])
  },
)

t.test('reopening keeps the log, because merging it into the file would block this process', async t => {
  const { files, recovery } = await open(t)
  const { writer, write, segments } = files()
  await write(writer, segments.active().name, [{ ...anEvent(), id: 1000 }], [])
  const sizes = () =>
    withLogOf(segments.active().path).map(path => (existsSync(path) ? statSync(path).size : null))
  const before = sizes()
  await recovery.replace('Test')
  t.same(sizes(), before)
  t.match(files().segments.active(), { events: 1, lastId: 1000 })
})
