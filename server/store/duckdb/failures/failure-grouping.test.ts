import t from 'tap'
import { createMutex } from '../../common/mutex.ts'
import { sql } from '../../common/sql.ts'
import { anEvent } from '../../conformance/testing.ts'
import { type Database, openDatabase } from '../engine/database.ts'
import { createFailureGrouping } from './failure-grouping.ts'

t.test('reads the failure summary only if a known fingerprint has no signature', async t => {
  const database = await openDatabase(t.testdir(), {
    memoryBytes: null,
    nowMs: Date.now,
    logger: undefined,
  })
  t.teardown(() => database.close())
  const read: string[] = []
  const reading: Database['reading'] = (signal, work) =>
    database.reading(signal, source =>
      work({
        ...source,
        summary(name) {
          read.push(name)
          return source.summary(name)
        },
      }),
    )
  const { withoutSignature, storeSignatures } = createFailureGrouping({
    workspace: database.workspace,
    reading,
    withGroupingLock: createMutex(),
  })
  await database.append([anEvent({ fingerprint: '0000000001' })], [])
  t.same(await withoutSignature(10), [])
  t.same(read, [])

  await database.workspace.execute(
    sql`INSERT INTO workspace.failure_fingerprint (fingerprint, failure_id) VALUES ('0000000001', '0000000001')`,
  )
  t.match(await withoutSignature(10), [{ fingerprint: '0000000001' }])
  t.same(read, ['failure_summary'])

  const signature = { service: 'shop', release: null, subject: '', frames: [], seenMs: 0, replaces: null }
  await storeSignatures([{ fingerprint: '0000000001', ...signature }], 10)
  t.same(await withoutSignature(10), [])
  t.equal(read.length, 1)
})
