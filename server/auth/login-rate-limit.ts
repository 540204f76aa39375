import { createHash } from 'node:crypto'

/** Maximum number of distinct wrong secrets per address in a time window. */
const maxFailed = 20
const windowMs = 15 * 60_000
/**
 * How long an address must wait if the limit is reached only because attempts are still being checked. Valid attempts no
 * longer count after the check.
 */
const checkingWaitMs = 1000
const maxAddresses = 10_000

type Attempts = { failed: Set<string>; checking: Set<string>; untilMs: number }

/** An allowed attempt. It counts as failed until `cancel` is called. */
export type Attempt = {
  allowed: true
  /** Call this if the secret is wrong. */
  fail(): void
  /** Call this if the secret is valid or could not be checked. */
  cancel(): void
}

/**
 * Limits failed login attempts per address. An attempt counts as failed from its start, so that concurrent requests cannot
 * all be checked before the first one fails. A repeated wrong secret counts only once, so that a service with a revoked
 * token does not lock out other clients at its address.
 */
export function createLoginRateLimit(nowMs: () => number = Date.now) {
  const addresses = new Map<string, Attempts>()

  const attemptsFrom = (address: string): Attempts => {
    const existing = addresses.get(address)
    if (existing !== undefined && nowMs() < existing.untilMs) return existing
    const attempts = { failed: new Set<string>(), checking: new Set<string>(), untilMs: nowMs() + windowMs }
    // Delete first to keep the map ordered by age.
    addresses.delete(address)
    addresses.set(address, attempts)
    return attempts
  }

  return {
    /**
     * Starts an attempt, or returns how long the address must wait. During the wait, the caller must reject even the
     * correct secret, because accepting it would confirm a guess.
     */
    start(address: string, secret: string): Attempt | { allowed: false; waitMs: number } {
      const attempts = attemptsFrom(address)
      const { failed, checking } = attempts
      if (failed.size >= maxFailed) return { allowed: false, waitMs: attempts.untilMs - nowMs() }
      const hash = createHash('sha256').update(secret).digest('base64url').slice(0, 16)
      const isCounted = failed.has(hash) || checking.has(hash)
      if (!isCounted && failed.size + checking.size >= maxFailed) {
        return { allowed: false, waitMs: checkingWaitMs }
      }
      if (!isCounted) checking.add(hash)
      return {
        allowed: true,
        fail() {
          checking.delete(hash)
          failed.add(hash)
          const [oldest] = addresses.keys()
          if (addresses.size > maxAddresses && oldest !== undefined) addresses.delete(oldest)
        },
        cancel() {
          checking.delete(hash)
          if (failed.size + checking.size === 0 && addresses.get(address) === attempts)
            addresses.delete(address)
        },
      }
    },
  }
}
