import t from 'tap'
import { anEvent, noonMs } from '../../conformance/testing.ts'
import { openDatabase } from './database.ts'

const dayMs = 86_400_000

t.test('events accepted after the clock was set back by days share a segment', async t => {
  let nowMs = noonMs + 2 * dayMs
  const database = await openDatabase(t.testdir(), {
    memoryBytes: null,
    nowMs: () => nowMs,
    logger: undefined,
  })
  t.teardown(() => database.close())
  await database.append([anEvent()], [])
  nowMs = noonMs
  for (let batch = 0; batch < 5; batch += 1) await database.append([anEvent()], [])
  t.equal(database.segments.all().length, 1)

  nowMs = noonMs + 3 * dayMs
  await database.append([anEvent()], [])
  t.equal(database.segments.all().length, 2, 'the next segment starts once the clock has passed it by a day')
})
