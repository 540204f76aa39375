import t from 'tap'
import { EventRate } from './event-rate.ts'

t.test('averages over five seconds', async t => {
  const rate = new EventRate()
  t.equal(rate.perSecond(0), 0)
  for (let ms = 0; ms < 10_000; ms += 250) rate.add(500, ms)
  t.ok(Math.abs(rate.perSecond(10_000) - 2000) < 120)
  t.equal(rate.perSecond(15_000), 0, 'forgets old events')
})

t.test('an initial burst is averaged over one second', async t => {
  const rate = new EventRate()
  rate.add(30, 1000)
  t.equal(rate.perSecond(1000), 30)
})
