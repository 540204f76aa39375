import fc from 'fast-check'
import t from 'tap'
import { increaseOf } from './failure-list.ts'

t.test('a failure with a constant rate has no increase, whatever the number of buckets', async () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 61 }), fc.integer({ min: 0, max: 1e6 }), (length, count) => {
      return increaseOf(Array.from({ length }, () => count)) === 0
    }),
  )
})

t.test('the increase is the second half minus the first half', async t => {
  t.equal(increaseOf([]), 0)
  t.equal(increaseOf([1, 2, 3, 5]), 5)
  t.equal(increaseOf([1, 2, 100, 3, 5]), 5)
  t.equal(increaseOf([5, 0]), -5)
})
