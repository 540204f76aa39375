import t from 'tap'
import { addressOf, startClickHouse } from '../../../scripts/test/clickhouse.ts'
import { hourMs } from '../../../shared/duration-units.ts'
import { idAt } from '../common/time.ts'
import { anEvent, noonMs } from '../conformance/testing.ts'
import { openClickHouseStore } from './store.ts'

const server = await startClickHouse(t)

t.test('imports events that retention has deleted since an earlier import', async t => {
  const store = await openClickHouseStore(addressOf(server, `transfer_${process.pid}`), {
    nowMs: () => noonMs,
  })
  t.teardown(store.close)
  const batchAt = (timeMs: number) =>
    [0, 1].map(index => ({ ...anEvent({ timeMs }), id: idAt(timeMs) + index }))
  const [old, recent] = [batchAt(noonMs - 2 * hourMs), batchAt(noonMs)]
  t.same(await store.importEvents(old), { stored: 2, regrouped: 0 })
  t.same(await store.importEvents(recent), { stored: 2, regrouped: 0 })
  t.equal(await store.retain({ maxAgeMs: hourMs, maxBytes: 1e12 }, noonMs), 2)

  t.same(await store.importEvents(old), { stored: 2, regrouped: 0 })
  const all = { afterId: 0, upToId: Number.MAX_SAFE_INTEGER }
  t.strictSame(await store.eventsInIds(all), [...old, ...recent])
  t.same(await store.importEvents(old), { stored: 0, regrouped: 0 })
})
