import { once } from 'node:events'
import t from 'tap'
import type { Claims } from './claims.ts'
import { createLease } from './lease.ts'

/** Claims in memory. They do not expire. */
function memoryClaims(): Claims {
  const owners = new Map<string, Set<string>>()
  const ownersOf = (name: string) => owners.get(name) ?? new Set()
  return {
    async claim([name = ''], owner) {
      const others = [...ownersOf(name)].filter(other => other !== owner)
      owners.set(name, new Set([...others, owner]))
      return others.map(other => ({ name, owner: other, isLive: true }))
    },
    async release([name = ''], owner) {
      ownersOf(name).delete(owner)
    },
    async live(prefix) {
      return new Set(
        [...owners].filter(([name, all]) => name.startsWith(prefix) && all.size > 0).map(([name]) => name),
      )
    },
  }
}

t.test('one of several replicas gets the lease; another can get it after it is released', async t => {
  const claims = memoryClaims()
  const [a, b] = [createLease(claims), createLease(claims)]
  t.equal(await a.renew(), true)
  t.equal(await b.renew(), false)
  t.equal(await a.renew(), false, 'it already has the lease')
  t.equal(b.signal(), null)
  const signal = a.signal()
  t.equal(signal?.aborted, false)
  await a.release()
  t.equal(signal?.aborted, true)
  t.equal(a.signal(), null)
  t.equal(await b.renew(), true)
})

t.test('at most one of the replicas that request the lease at the same time gets it', async t => {
  const claims = memoryClaims()
  const leases = [createLease(claims), createLease(claims), createLease(claims)]
  const got = await Promise.all(leases.map(lease => lease.renew()))
  t.ok(got.filter(Boolean).length <= 1)
})

t.test('a replica that cannot renew the lease loses it before another one may get it', async t => {
  const lease = createLease(memoryClaims(), 3000)
  await lease.renew()
  const signal = lease.signal()
  if (signal === null) throw new TypeError('The lease was not granted')
  const running = setInterval(() => {}, 1000)
  await once(signal, 'abort')
  clearInterval(running)
  t.equal(lease.signal(), null)
})
