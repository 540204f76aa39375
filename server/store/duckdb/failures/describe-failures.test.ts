import t, { type Test } from 'tap'
import { failure, failures } from '../../common/metrics/failures.ts'
import { createMutex } from '../../common/mutex.ts'
import { anEvent, noonMs, testWindow } from '../../conformance/testing.ts'
import { openDatabase } from '../engine/database.ts'
import type { Source } from '../sql/source.ts'
import { describeFailures } from './describe-failures.ts'
import { failureReader } from './failure-reader.ts'
import { createManualGrouping } from './manual-grouping.ts'

async function open(t: Test) {
  const database = await openDatabase(t.testdir(), {
    memoryBytes: null,
    nowMs: () => noonMs,
    logger: undefined,
  })
  t.teardown(() => database.close())
  const exception = { type: 'Error', message: 'no price', stack: null }
  for (const fingerprint of ['f1', 'f2']) await database.append([anEvent({ fingerprint, exception })], [])
  return database
}

t.test('a failure that is merged during a query keeps its id in the result', async t => {
  const { reading, workspace } = await open(t)
  const index = await reading(undefined, source => source.failureIndex())
  await createManualGrouping({ workspace, reading, withGroupingLock: createMutex() }).merge('f2', 'f1')
  const filter = { state: null, service: null, text: null, sort: 'newest', limit: 10 } as const
  await reading(undefined, async source => {
    const during = failureReader({ ...source, failureIndex: async () => index })
    t.match(await failure(during, 'f2', { window: testWindow, bucketMs: 60_000 }), { id: 'f2', count: 1 })
    const { failures: listed } = await failures(during, { window: testWindow, bucketMs: 60_000, ...filter })
    t.same(listed.map(({ id }) => id).sort(), ['f1', 'f2'])
    t.match(await failure(failureReader(source), 'f2', { window: testWindow, bucketMs: 60_000 }), {
      id: 'f1',
      count: 2,
    })
  })
})

t.test('failures whose newest event is deleted during a query are omitted', async t => {
  const { reading } = await open(t)
  await reading(undefined, async source => {
    const index = await source.failureIndex()
    const listed = ['f1', 'f2'].map(id => ({ id, count: 1, newestUs: 0, sparkline: [] }))
    const described = async (during: Partial<Source>) => [
      ...(await describeFailures({ ...source, ...during }, index, listed)).keys(),
    ]
    t.same(await described({ segments: { ...source.segments, all: () => [] } }), [])
    let queries = 0
    const queryCached: Source['queryCached'] = async (...query) => {
      queries += 1
      return (await source.queryCached(...query)).slice(queries === 2 ? 1 : 0)
    }
    t.equal((await described({ queryCached })).length, 1)
  })
})
