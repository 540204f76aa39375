import t from 'tap'
import { addressOf, startClickHouse } from '../../../../scripts/test/clickhouse.ts'
import { anEvent, noonMs } from '../../conformance/testing.ts'
import { connect } from '../engine/connection.ts'
import { openClickHouseStore } from '../store.ts'
import { createRetention } from './retain.ts'

const server = await startClickHouse(t)
const hourMs = 3_600_000
const dayMs = 24 * hourMs

t.test(
  'deletes whole days immediately, and individual events once an hour or when the limits change',
  async t => {
    let clockMs = noonMs
    const address = addressOf(server, `retain_${process.pid}`)
    const store = await openClickHouseStore(address, { nowMs: () => clockMs })
    t.teardown(store.close)
    const limits = { maxAgeMs: dayMs, maxBytes: 1e12 }
    const add = async (ageMs = 0) => {
      await store.append([anEvent({ timeMs: clockMs - ageMs })])
    }

    clockMs = noonMs - 3 * dayMs
    await add()
    clockMs = noonMs
    await add(dayMs - 1)
    await add()
    t.equal(await store.retain(limits, noonMs), 1)
    t.equal((await store.stats()).events, 2)

    clockMs = noonMs + hourMs - 1
    t.equal(await store.countExpired(limits, clockMs), 1)
    t.equal(await store.retain(limits, clockMs), 0)
    t.equal((await store.stats()).events, 2, 'an event may remain for an hour')
    t.equal(await store.retain({ ...limits, maxAgeMs: dayMs - 1 }, clockMs), 1, 'the limits have changed')
    t.equal((await store.stats()).events, 1)

    await add(dayMs)
    t.equal(await store.retain({ ...limits, maxAgeMs: dayMs - 1 }, clockMs + hourMs), 1, 'an hour later')
    await add(dayMs)
    t.equal(
      await store.retain({ ...limits, maxAgeMs: dayMs - 1 }, clockMs),
      1,
      'after the clock was set back',
    )
    t.equal(await store.retain(limits, noonMs + 2 * dayMs), 1)
    t.equal((await store.stats()).events, 0)
  },
)

t.test('to meet the size limit, deletes expired events before others, even within a day', async t => {
  const address = addressOf(server, `retain_size_${process.pid}`)
  const store = await openClickHouseStore(address, { nowMs: () => noonMs })
  t.teardown(store.close)
  const body = () => Array.from({ length: 30 }, () => Math.random().toString(36)).join(' ')
  const batch = Array.from({ length: 2000 }, (_, index) =>
    anEvent({ timeMs: index % 2 === 0 ? noonMs : noonMs - 2 * dayMs, body: body() }),
  )
  const stored = await store.append(batch)
  const { diskBytes } = await store.stats()

  const limits = { maxAgeMs: dayMs, maxBytes: diskBytes / 4 }
  const expected = await store.countExpired(limits, noonMs)
  t.equal(await store.retain(limits, noonMs), expected)
  const { events, oldestMs } = await store.stats()
  t.equal(events, 2000 - expected)
  t.equal(oldestMs, noonMs)
  t.ok(events > 400 && events < 500, `${events} events remain`)
  t.equal(await store.event(stored[0]?.id ?? -1), null)
  t.ok(await store.event(stored.at(-2)?.id ?? -1))
})

t.test('for an hour, neither repeats nor counts a deletion that has not finished', async t => {
  const address = addressOf(server, `retain_unfinished_${process.pid}`)
  const store = await openClickHouseStore(address, { nowMs: () => noonMs })
  t.teardown(store.close)
  await store.append([anEvent({ timeMs: noonMs - 2 * dayMs }), anEvent(), anEvent()])
  const connection = connect(address)
  t.teardown(connection.close)
  let deletions = 0
  const change = async () => {
    deletions += 1
    return false
  }
  const retain = createRetention(connection)
  const limits = { maxAgeMs: dayMs, maxBytes: (await store.stats()).diskBytes - 1 }
  t.equal(await retain(change, limits, noonMs), 0)
  t.equal(await retain(change, limits, noonMs + 60_000), 0)
  t.equal(deletions, 1)
  await retain(change, limits, noonMs + hourMs)
  t.equal(deletions, 2)
})
