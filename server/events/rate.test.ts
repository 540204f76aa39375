import t from 'tap'
import { createRate } from './rate.ts'

t.test('averages the rate per second over the last ten seconds', async t => {
  let nowMs = 50_000
  const rate = createRate(() => nowMs)
  t.equal(rate.perSecond(), 0)
  rate.add(100)
  t.equal(rate.perSecond(), 10)
  nowMs += 5000
  rate.add(50)
  t.equal(rate.perSecond(), 15)
  nowMs += 5000
  t.equal(rate.perSecond(), 5)
  nowMs += 1_000_000
  t.equal(rate.perSecond(), 0)
})
