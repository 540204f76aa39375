import { readdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import t, { type Test } from 'tap'
import { allEvents, anEvent, noonMs, testWindow } from '../../conformance/testing.ts'
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
  return { folder, clock, open }
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
  t.equal(database.segments.all().length, 2, 'a new segment starts a day after the first event')
})

t.test('the newest idempotency keys are recognised after the clock is set back', async t => {
  const { clock, open } = clockedStore(t, noonMs + 2 * dayMs)
  const store = await open()
  const keys = Array.from({ length: 50_000 }, (_, index) => `earlier ${index}`)
  await store.append([anEvent()], keys)
  clock.nowMs = noonMs
  await store.append([anEvent()], ['newest'])
  await store.close()
  t.same(await (await open()).claimRequests(['newest']), ['stored'])
})

t.test('ids stay unique if the clock is set to a time after 2090 and corrected', async t => {
  const { folder, clock, open } = clockedStore(t, Date.UTC(2106, 1, 7))
  const store = await open()
  const ids: number[] = []
  for (let batch = 0; batch < 3; batch += 1) {
    const stored = await store.append([anEvent(), anEvent()])
    ids.push(...stored.map(({ id }) => id))
    clock.nowMs += 2 * dayMs
  }
  clock.nowMs = noonMs
  ids.push(...(await store.append([anEvent()])).map(({ id }) => id))
  t.equal(new Set(ids).size, ids.length)
  await store.close()
  t.equal(readdirSync(folder).filter(file => file.startsWith('events-')).length, 1)
  const { events } = await (await open()).events({ window: testWindow, query: allEvents, limit: 100 })
  t.same(events.map(({ id }) => id).reverse(), ids)
})

t.test('after the clock is set back, no new segment reuses the name of a damaged one', async t => {
  const { folder, clock, open } = clockedStore(t, noonMs)
  const store = await open()
  await store.append([anEvent()])
  clock.nowMs = noonMs + 3 * dayMs
  const [damaged] = await store.append([anEvent()])
  await store.close()
  const segments = () => readdirSync(folder).filter(file => file.startsWith('events-'))
  const [, newest = ''] = segments()
  writeFileSync(join(folder, newest), 'x'.repeat(20_000))
  clock.nowMs = noonMs
  const reopened = await open()
  const [moved = ''] = (await reopened.stats()).damagedFiles
  t.equal(basename(moved), newest)
  const [next] = await reopened.append([anEvent()])
  t.notOk(segments().includes(newest), 'the repaired file can be moved back')
  t.ok((next?.id ?? 0) > (damaged?.id ?? 0))
})
