import { randomUUID } from 'node:crypto'
import type { Claims } from './claims.ts'

/** How long a lease lasts after its renewal. If its owner is killed, another replica can get the lease after this time. */
const defaultLifetimeMs = 10_000
const renewalMs = 2000
/** Maximum length of the random pause before a retry, so that replicas do not retry at the same time. */
const maxPauseMs = 2000
/** Work ends this long before another replica may get the lease. */
const marginMs = 1000
const name = 'lease'

/** The lease for work that only one replica may do at a time. */
export type Lease = {
  /** Aborts when this replica loses the lease; `null` if this replica does not have it. */
  signal(): AbortSignal | null
  /**
   * Renews the lease, or tries to get it. Call this at least every two seconds.
   * @returns whether this replica got the lease and did not have it before
   */
  renew(): Promise<boolean>
  release(): Promise<void>
}

/** For processes that never need the lease. */
export const noLease: Lease = { signal: () => null, renew: async () => false, release: async () => {} }

export function createLease(claims: Claims, lifetimeMs = defaultLifetimeMs): Lease {
  // A replica that loses the lease and gets it again counts as a new owner.
  let owner = randomUUID()
  /** Aborts the work that needs the lease; `null` if this replica does not have the lease. */
  let controller: AbortController | null = null
  let renewedMs = Number.NEGATIVE_INFINITY
  let nextTryMs = Number.NEGATIVE_INFINITY
  let expiry: NodeJS.Timeout | undefined

  const lose = () => {
    clearTimeout(expiry)
    controller?.abort(new Error('Another replica may have the lease'))
    controller = null
    owner = randomUUID()
  }

  const extend = (fromMs: number) => {
    renewedMs = fromMs
    clearTimeout(expiry)
    expiry = setTimeout(lose, fromMs + lifetimeMs - marginMs - performance.now())
    expiry.unref()
  }

  return {
    signal: () => controller?.signal ?? null,
    async renew() {
      const fromMs = performance.now()
      const hadLease = controller !== null
      if (hadLease && fromMs - renewedMs < renewalMs) return false
      if (!hadLease && fromMs < nextTryMs) return false
      if (!hadLease && (await claims.live(name, lifetimeMs)).size > 0) return false
      const claimant = owner
      const others = await claims.claim([name], claimant, lifetimeMs)
      // The lease may have expired in the meantime.
      const isTooLate = claimant !== owner || performance.now() > fromMs + lifetimeMs - marginMs
      if (isTooLate || others.some(({ isLive }) => isLive)) {
        await claims.release([name], claimant)
        if (claimant === owner) lose()
        nextTryMs = performance.now() + Math.random() * maxPauseMs
        return false
      }
      controller ??= new AbortController()
      extend(fromMs)
      return !hadLease
    },
    async release() {
      if (controller === null) return
      const claimant = owner
      lose()
      await claims.release([name], claimant)
    },
  }
}
