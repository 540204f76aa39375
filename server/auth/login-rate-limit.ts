import { createHash } from 'node:crypto'

/** Different wrong secrets that one address may try within the window. */
const mostFailed = 20
const windowMs = 15 * 60_000
/** Wait for an address whose attempts are still being checked: those that prove right are not counted. */
const checkingWaitMs = 1000
const mostAddresses = 10_000

type Attempts = { failed: Set<string>; checking: Set<string>; untilMs: number }

/** An attempt that may be checked: it counts until `cancel` is called. */
export type Attempt = {
  allowed: true
  /** The secret is wrong. */
  fail(): void
  /** The secret is right, or could not be checked. */
  cancel(): void
}

/**
 * Limits failed attempts to log in by address. An attempt counts from the moment it starts, so that requests sent at
 * once cannot all be checked before the first one fails. The same wrong secret counts once: a service that keeps
 * sending a revoked token does not lock out others at its address.
 */
export function createLoginRateLimit(nowMs: () => number = Date.now) {
  const addresses = new Map<string, Attempts>()

  const attemptsFrom = (address: string): Attempts => {
    const found = addresses.get(address)
    if (found !== undefined && nowMs() < found.untilMs) return found
    const attempts = { failed: new Set<string>(), checking: new Set<string>(), untilMs: nowMs() + windowMs }
    // Deleted first, so that the map stays ordered by age.
    addresses.delete(address)
    addresses.set(address, attempts)
    return attempts
  }

  return {
    /**
     * Starts an attempt, or says how long the address has to wait. While it waits, even the right secret must be
     * refused: any other answer would confirm a guess.
     */
    start(address: string, secret: string): Attempt | { allowed: false; waitMs: number } {
      const attempts = attemptsFrom(address)
      const { failed, checking } = attempts
      if (failed.size >= mostFailed) return { allowed: false, waitMs: attempts.untilMs - nowMs() }
      const hash = createHash('sha256').update(secret).digest('base64url').slice(0, 16)
      const isCounted = failed.has(hash) || checking.has(hash)
      if (!isCounted && failed.size + checking.size >= mostFailed) {
        return { allowed: false, waitMs: checkingWaitMs }
      }
      if (!isCounted) checking.add(hash)
      return {
        allowed: true,
        fail() {
          checking.delete(hash)
          failed.add(hash)
          const [oldest] = addresses.keys()
          if (addresses.size > mostAddresses && oldest !== undefined) addresses.delete(oldest)
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
