import fc from 'fast-check'
import t from 'tap'
import { createLoginRateLimit } from './login-rate-limit.ts'

type Limit = ReturnType<typeof createLoginRateLimit>

/** Tries a wrong secret. Returns the required wait in milliseconds, or 0 if the secret was checked. */
function tryWrong(limit: Limit, address: string, secret: string): number {
  const attempt = limit.start(address, secret)
  if (!attempt.allowed) return attempt.waitMs
  attempt.fail()
  return 0
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
  t.ok(limit.start('a', 'another').allowed)
})

t.test('attempts count as failed while they are being checked', async t => {
  const limit = createLoginRateLimit()
  const attempts = Array.from({ length: 100 }, (_, index) => limit.start('a', `secret ${index}`))
  const allowed = attempts.filter(attempt => attempt.allowed)
  t.equal(allowed.length, 20)
  t.match(limit.start('a', 'another'), { allowed: false, waitMs: 1000 }, 'the wait is short')
  t.ok(limit.start('a', 'secret 0').allowed, 'the same secret is allowed in another request')
  for (const attempt of allowed) attempt.cancel()
  t.ok(limit.start('a', 'another').allowed, 'correct secrets do not count')
})

t.test('property: concurrent attempts in any order cannot exceed the limit', async () => {
  const step = fc.record({ secret: fc.nat({ max: 60 }), settles: fc.nat({ max: 10 }) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), steps => {
      const limit = createLoginRateLimit(() => 0)
      const checked = new Set<number>()
      const pending: (() => void)[] = []
      for (const { secret, settles } of steps) {
        const attempt = limit.start('a', String(secret))
        if (attempt.allowed) {
          checked.add(secret)
          pending.push(attempt.fail)
        }
        for (const fail of pending.splice(0, settles)) fail()
      }
      return checked.size <= 20
    }),
  )
})

t.test('the number of addresses is limited: a new one replaces the oldest', async t => {
  const limit = createLoginRateLimit()
  tryManyWrong(limit, 'first')
  tryManyWrong(limit, 'second')
  for (let index = 0; index < 9999; index++) tryWrong(limit, `other ${index}`, 'wrong')
  t.ok(limit.start('first', 'another').allowed)
  t.notOk(limit.start('second', 'another').allowed)
})
