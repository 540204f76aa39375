import fc from 'fast-check'
import t from 'tap'
import { HttpError } from './http-error.ts'
import { createMemoryBudget, type MemoryLease } from './memory-budget.ts'

/** Tries to reserve memory. Returns whether the budget allowed the reservation. */
function reserves(lease: MemoryLease, sizeBytes: number): boolean {
  try {
    lease.reserve(sizeBytes)
    return true
  } catch (error) {
    if (error instanceof HttpError && error.statusCode === 429 && error.headers['retry-after'] === 2)
      return false
    throw error
  }
}

t.test('rejects with 429 and Retry-After beyond the limit, until memory is released', async t => {
  const budget = createMemoryBudget(100)
  const [first, second] = [budget.openLease(), budget.openLease()]
  t.ok(reserves(first, 60))
  t.notOk(reserves(second, 41))
  t.ok(reserves(second, 40))
  t.notOk(reserves(first, 1))
  first.release()
  first.release()
  t.equal(budget.usedBytes(), 40)
  second.release()
  t.equal(budget.usedBytes(), 0)
})

t.test('a request may exceed the limit if no other request uses memory', async t => {
  const budget = createMemoryBudget(100)
  const [large, other] = [budget.openLease(), budget.openLease()]
  t.ok(reserves(large, 90))
  t.ok(reserves(large, 90))
  t.notOk(reserves(other, 1))
  large.release()
  t.ok(reserves(other, 1000))
})

t.test(
  'the requests of one client share half of the budget, so that other clients can use the other half',
  async t => {
    const budget = createMemoryBudget(100)
    const [first, second] = [budget.openLease('shop'), budget.openLease('shop')]
    t.ok(reserves(first, 30))
    t.ok(reserves(second, 20))
    t.notOk(reserves(second, 1))
    t.ok(reserves(budget.openLease('api'), 50))
    first.release()
    t.ok(reserves(second, 30))
  },
)

t.test("a client's only request may exceed the client's half", async t => {
  const budget = createMemoryBudget(100)
  const [large, other] = [budget.openLease('shop'), budget.openLease('api')]
  t.ok(reserves(other, 10))
  t.ok(reserves(large, 90))
  t.notOk(reserves(large, 1))
})

t.test('property: memory usage is the sum of all leases, and all memory is released', async () => {
  const steps = fc.array(fc.tuple(fc.nat({ max: 4 }), fc.nat({ max: 60 })), { maxLength: 50 })
  fc.assert(
    fc.property(steps, steps => {
      const budget = createMemoryBudget(100)
      const leases = ['a', 'a', 'b', 'b', undefined].map(client => budget.openLease(client))
      const used = [0, 0, 0, 0, 0]
      for (const [index, sizeBytes] of steps) {
        const lease = leases[index]
        if (lease === undefined) return false
        if (sizeBytes === 0) {
          lease.release()
          used[index] = 0
        } else if (reserves(lease, sizeBytes)) used[index] = (used[index] ?? 0) + sizeBytes
        if (budget.usedBytes() !== used.reduce((sum, each) => sum + each, 0)) return false
      }
      for (const lease of leases) lease.release()
      return budget.usedBytes() === 0
    }),
  )
})
