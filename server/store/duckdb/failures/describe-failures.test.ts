import t from 'tap'
import { anEvent, noonMs, testWindow } from '../../conformance/testing.ts'
import { openDatabase } from '../engine/database.ts'
import { failure, failures } from './failures.ts'
import { createManualGrouping } from './manual-grouping.ts'

t.test('a failure that is merged during a query keeps its id in the result', async t => {
  const database = await openDatabase(t.testdir(), {
    memoryBytes: null,
    nowMs: () => noonMs,
    logger: undefined,
  })
  t.teardown(() => database.close())
  const { reading, workspace, append } = database
  const exception = { type: 'Error', message: 'no price', stack: null }
  for (const fingerprint of ['f1', 'f2']) await append([anEvent({ fingerprint, exception })], [])

  const index = await reading(undefined, source => source.failureIndex())
  await createManualGrouping({ workspace, reading }).merge('f2', 'f1')
  const filter = { state: null, service: null, text: null, sort: 'newest', limit: 10 } as const
  await reading(undefined, async source => {
    const during = { ...source, failureIndex: async () => index }
    t.match(await failure(during, 'f2', 60_000, testWindow), { id: 'f2', count: 1 })
    const { failures: listed } = await failures(during, { window: testWindow, bucketMs: 60_000, ...filter })
    t.same(listed.map(({ id }) => id).sort(), ['f1', 'f2'])
    t.match(await failure(source, 'f2', 60_000, testWindow), { id: 'f1', count: 2 })
  })
})
