import t from 'tap'
import { anEvent } from '../../conformance/testing.ts'
import { createRecentEvents } from './recent-events.ts'

const events = (firstId: number, count: number, body = '') =>
  Array.from({ length: count }, (_, index) => ({ ...anEvent({ body }), id: firstId + index }))
const ids = (found: ReturnType<ReturnType<typeof createRecentEvents>['since']>) => found?.map(({ id }) => id)

t.test('returns the events after an id', async t => {
  const recent = createRecentEvents(10)
  t.same(ids(recent.since(10)), [])
  recent.add(events(11, 2))
  recent.add(events(20, 1))
  t.same(ids(recent.since(10)), [11, 12, 20])
  t.same(ids(recent.since(11)), [12, 20])
  t.same(ids(recent.since(15)), [20])
  t.same(ids(recent.since(20)), [])
  t.equal(recent.since(9), null, 'older events are not in memory')
})

t.test('discards the events if they need too much memory', async t => {
  for (const add of [
    (recent: ReturnType<typeof createRecentEvents>) => recent.add(events(3, 101)),
    (recent: ReturnType<typeof createRecentEvents>) => recent.add(events(3, 1, 'x'.repeat(1_000_001))),
    (recent: ReturnType<typeof createRecentEvents>) => {
      const exception = { type: 'Error', message: 'x'.repeat(60_000), stack: null }
      for (let id = 3; id < 30; id += 1) recent.add([{ ...anEvent({ exception }), id }])
    },
    (recent: ReturnType<typeof createRecentEvents>) => {
      for (let firstId = 3; firstId < 1100; firstId += 100) recent.add(events(firstId, 100))
    },
  ]) {
    const recent = createRecentEvents(0)
    recent.add(events(1, 2))
    add(recent)
    t.equal(recent.since(2), null)
    recent.add(events(2000, 1))
    t.same(ids(recent.since(1999)), [2000])
  }
})

t.test('discards the events if it is unknown whether other events were stored', async t => {
  const recent = createRecentEvents(0)
  recent.add(events(1, 2))
  recent.forget()
  t.equal(recent.since(2), null)
  recent.add(events(10, 1))
  t.equal(recent.since(2), null)
  t.same(ids(recent.since(10)), [])
  recent.add(events(11, 1))
  t.same(ids(recent.since(10)), [11])
})
