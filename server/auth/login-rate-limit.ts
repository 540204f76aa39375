import { createHash } from 'node:crypto'

/** Maximum number of distinct wrong secrets per address in a time window. */
const maxFailed = 20
const windowMs = 15 * 60_000
const maxAddresses = 10_000

type Attempts = { failed: Set<string>; untilMs: number }

/**
 * Limits failed login attempts per address. A repeated wrong secret counts only once, so that a service with a revoked token
 * does not lock out other clients at its address. Between `waitMs` and `fail`, the caller must not wait for anything.
 * Otherwise, concurrent requests could all be checked before the first one fails.
 */
export function createLoginRateLimit(nowMs: () => number = Date.now) {
  const addresses = new Map<string, Attempts>()

  const attemptsFrom = (address: string): Attempts | null => {
    const attempts = addresses.get(address)
    return attempts !== undefined && nowMs() < attempts.untilMs ? attempts : null
  }

  return {
    /**
     * Returns how long the address must wait, or 0. During the wait, the caller must reject even the correct password,
     * because accepting it would confirm a guess.
     */
    waitMs(address: string): number {
      const attempts = attemptsFrom(address)
      return attempts !== null && attempts.failed.size >= maxFailed ? attempts.untilMs - nowMs() : 0
    },
    /** Counts a wrong secret. */
    fail(address: string, secret: string): void {
      const attempts = attemptsFrom(address) ?? { failed: new Set(), untilMs: nowMs() + windowMs }
      attempts.failed.add(createHash('sha256').update(secret).digest('base64url').slice(0, 16))
      if (addresses.get(address) === attempts) return
      // Delete first to keep the map ordered by age.
      addresses.delete(address)
      addresses.set(address, attempts)
      const [oldest] = addresses.keys()
      if (addresses.size > maxAddresses && oldest !== undefined) addresses.delete(oldest)
    },
  }
}
