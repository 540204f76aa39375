import { createHash } from 'node:crypto'

/** Wrong secrets that may be tried from one address before it has to wait. */
const mostWrong = 20
const windowMs = 15 * 60_000
const mostAddresses = 10_000

type Tried = { wrong: Set<string>; untilMs: number }

/**
 * Counts the different wrong secrets that an address has tried, to slow down whoever guesses. The same one again
 * is no other guess: a service that goes on sending with a revoked token shuts out nobody who shares its address.
 */
export function createGuesses(nowMs: () => number = Date.now) {
  const tried = new Map<string, Tried>()
  const current = (address: string): Tried | null => {
    const found = tried.get(address)
    if (found === undefined || nowMs() < found.untilMs) return found ?? null
    tried.delete(address)
    return null
  }

  return {
    /** How long the address has to wait, in milliseconds, or 0. Then not even the right secret is looked at: the answer would tell. */
    waitMs(address: string): number {
      const found = current(address)
      return found !== null && found.wrong.size >= mostWrong ? found.untilMs - nowMs() : 0
    },
    wrong(address: string, secret: string): void {
      const found = current(address) ?? { wrong: new Set(), untilMs: nowMs() + windowMs }
      found.wrong.add(createHash('sha256').update(secret).digest('base64url').slice(0, 16))
      tried.set(address, found)
      for (const oldest of tried.keys()) {
        if (tried.size <= mostAddresses) break
        tried.delete(oldest)
      }
    },
  }
}
