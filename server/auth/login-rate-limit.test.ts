import t from 'tap'
import { createLoginRateLimit } from './login-rate-limit.ts'

type Limit = ReturnType<typeof createLoginRateLimit>

/** Tries a wrong secret. Returns the required wait in milliseconds, or 0 if the secret was checked. */
function tryWrong(limit: Limit, address: string, secret: string): number {
  const waitMs = limit.waitMs(address)
  if (waitMs === 0) limit.fail(address, secret)
  return waitMs
}

function tryManyWrong(limit: Limit, address: string): void {
  for (let index = 0; index < 100; index++) tryWrong(limit, address, `wrong ${index}`)
}

t.test('an address with many failed attempts must wait, but other addresses need not', async t => {
  let nowMs = 0
  const limit = createLoginRateLimit(() => nowMs)
  tryManyWrong(limit, 'a')
  const waitMs = tryWrong(limit, 'a', 'another')
  t.ok(waitMs > 60_000, 'the wait is longer than a minute')
  t.equal(tryWrong(limit, 'b', 'another'), 0)
  nowMs += waitMs
  t.equal(tryWrong(limit, 'a', 'another'), 0)
})

t.test('a repeated wrong secret counts as one failed attempt', async t => {
  const limit = createLoginRateLimit()
  for (let time = 0; time < 1000; time++) tryWrong(limit, 'a', 'a revoked token')
  t.equal(limit.waitMs('a'), 0)
})

t.test('the number of addresses is limited: a new one replaces the oldest', async t => {
  const limit = createLoginRateLimit()
  tryManyWrong(limit, 'first')
  tryManyWrong(limit, 'second')
  for (let index = 0; index < 9999; index++) tryWrong(limit, `other ${index}`, 'wrong')
  t.equal(limit.waitMs('first'), 0)
  t.ok(limit.waitMs('second') > 0)
})
