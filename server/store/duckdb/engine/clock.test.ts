import t, { type Test } from 'tap'
import { anEvent, noonMs } from '../../conformance/testing.ts'
import { openDuckDbStore } from '../store.ts'
import { openDatabase } from './database.ts'

const dayMs = 86_400_000

/** A store whose clock the test can set. */
function clockedStore(t: Test, startMs: number) {
  const folder = t.testdir()
  const clock = { nowMs: startMs }
  const open = async () => {
    const store = await openDuckDbStore({ folder, nowMs: () => clock.nowMs, preparesSegments: false })
    t.teardown(() => store.close())
    return store
  }
  return { clock, open }
}

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

t.test('the newest idempotency keys are known after the clock was set back', async t => {
  const { clock, open } = clockedStore(t, noonMs + 2 * dayMs)
  const store = await open()
  const keys = Array.from({ length: 50_000 }, (_, index) => `earlier ${index}`)
  await store.append([anEvent()], keys)
  clock.nowMs = noonMs
  await store.append([anEvent()], ['newest'])
  await store.close()
  t.same(await (await open()).claimRequests(['newest']), ['stored'])
})
