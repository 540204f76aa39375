import fc from 'fast-check'
import t from 'tap'
import { increaseOf } from './failure-list.ts'

/** A window with this number of buckets, the last of which may be incomplete. */
const buckets = (count: number) => ({ window: { fromMs: 0, toMs: count * 1000 }, bucketMs: 1000 })

t.test('a failure with a constant rate has no increase, whatever the number of buckets', async () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 61 }),
      fc.integer({ min: 0, max: 1e6 }),
      fc.integer({ min: 0, max: 99 }),
      (length, count, percent) => {
        const sparkline = [...Array.from({ length }, () => count), Math.round((count * percent) / 100)]
        return increaseOf(sparkline, buckets(length + percent / 100)) === 0
      },
    ),
  )
})

t.test('the increase is the second half minus the first half', async t => {
  t.equal(increaseOf([], buckets(0)), 0)
  t.equal(increaseOf([1, 2, 3, 5], buckets(4)), 5)
  t.equal(increaseOf([1, 2, 100, 3, 5], buckets(5)), 5)
  t.equal(increaseOf([5, 0], buckets(2)), -5)
  t.equal(increaseOf([0, 0, 0, 0, 5000], buckets(4.1)), 5000, 'a failure that has just started')
  t.equal(increaseOf([3, 3, 3, 3, 1], buckets(4.1)), 0, 'a constant rate')
})
