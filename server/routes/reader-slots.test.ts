import t from 'tap'
import { createReaderSlots, type ReaderLimits } from './reader-slots.ts'

const testLimits: ReaderLimits = {
  maxReaders: 4,
  maxReadersPerClient: 2,
  maxStallMs: 60_000,
  minStallMs: 1000,
  minTurnMs: Number.POSITIVE_INFINITY,
}

/** Creates slots with a clock that the test sets. `dropped` lists the dropped readers in order. */
function slots(limits: Partial<ReaderLimits> = {}) {
  const clock = { nowMs: 0 }
  const dropped: string[] = []
  const { take } = createReaderSlots({ ...testLimits, ...limits }, () => clock.nowMs)
  return {
    clock,
    dropped,
    take: (client: string, name = client) => take(client, () => void dropped.push(name)),
  }
}

t.test('if all slots are taken, a new reader replaces the one that has been stalled longest', t => {
  const { take, clock, dropped } = slots()
  const [, b, c, d] = ['a', 'b', 'c', 'd'].map(client => take(client))
  t.equal(take('e'), null, 'no reader is stalled')
  clock.nowMs = 100
  const ends = [c?.stall()]
  clock.nowMs = 200
  ends.push(b?.stall(), d?.stall())
  clock.nowMs = 1099
  t.equal(take('e'), null, 'a reader may be stalled for a moment')
  clock.nowMs = 5000
  const e = take('e')
  t.ok(e)
  t.same(dropped, ['c'])
  ends[1]?.()
  t.ok(take('f'))
  t.same(dropped, ['c', 'd'], 'b is not dropped, because it has resumed reading')
  t.equal(take('g'), null)
  e?.release()
  t.ok(take('g'), 'a released slot is available again')
  for (const end of ends) end?.()
  t.end()
})

t.test('if 100 clients with different addresses use all slots, a new one replaces the oldest', t => {
  const { take, clock, dropped } = slots({ maxReaders: 100, minTurnMs: 60_000 })
  const all = Array.from({ length: 100 }, (_, index) => {
    clock.nowMs = index
    return take(`client ${index}`)
  })
  clock.nowMs = 59_999
  t.equal(take('new 1'), null, 'a reader keeps its slot for a minute')
  clock.nowMs = 60_001
  t.ok(take('new 1'))
  t.ok(take('new 2'))
  t.equal(take('new 3'), null)
  t.same(dropped, ['client 0', 'client 1'])
  const end = all[50]?.stall()
  clock.nowMs = 61_002
  t.ok(take('new 3'))
  t.same(dropped.at(-1), 'client 50', 'a stalled reader is dropped first')
  end?.()
  t.end()
})

t.test('one client cannot take all slots', t => {
  const { take, clock, dropped } = slots()
  const first = take('a', 'a1')
  take('a', 'a2')
  t.equal(take('a', 'a3'), null)
  t.ok(take('b'))
  first?.stall()
  clock.nowMs = 1000
  t.ok(take('a', 'a3'), 'a client replaces its own stalled reader')
  t.same(dropped, ['a1'])
  t.end()
})

t.test('a reader stalled for too long is dropped', async t => {
  let end = () => {}
  await new Promise<void>(resolve => {
    const { take } = createReaderSlots({
      ...testLimits,
      maxReaders: 1,
      maxReadersPerClient: 1,
      maxStallMs: 1,
    })
    const slot = take('a', () => {
      t.ok(
        take('b', () => {}),
        'its slot is free',
      )
      resolve()
    })
    end = slot?.stall() ?? end
  })
  end()
})

t.test('a released reader is never dropped', t => {
  const { take, clock, dropped } = slots({ maxReaders: 1 })
  const slot = take('a')
  slot?.stall()
  slot?.release()
  t.doesNotThrow(() => slot?.stall()(), 'a stall after the release has no effect')
  clock.nowMs = 90_000
  t.ok(take('b'))
  t.equal(take('c'), null)
  t.same(dropped, [])
  t.end()
})
