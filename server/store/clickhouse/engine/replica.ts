import { randomUUID } from 'node:crypto'
import { StoreUnavailableError } from '../../store.ts'
import type { Claims } from './claims.ts'
import { maxReplicas } from './ids.ts'

/** A replica loses its number if it does not renew the claim for this long. */
const lifetimeMs = 60_000
const defaultRenewalMs = 15_000
const prefix = 'replica '

/** Identifies this process among the replicas that use the database. */
export type Replica = {
  number(): number
  /**
   * Checks that the number still belongs to this replica, and otherwise claims another number. Sends no statement while
   * renewals succeed.
   */
  confirm(): Promise<void>
  release(): Promise<void>
}

/**
 * Claims a number that no other replica uses, and renews the claim.
 * @throws StoreUnavailableError if all numbers are in use
 */
export async function joinReplicas(claims: Claims, renewalMs = defaultRenewalMs): Promise<Replica> {
  const owner = randomUUID()
  let renewedMs = Number.NEGATIVE_INFINITY

  /** @returns whether the number belongs to this replica */
  const take = async (number: number): Promise<boolean> => {
    const atMs = performance.now()
    const others = await claims.claim([nameOf(number)], owner, lifetimeMs)
    if (others.some(({ isLive }) => isLive)) {
      // Otherwise, `confirm` would rely on an earlier renewal.
      renewedMs = Number.NEGATIVE_INFINITY
      await claims.release([nameOf(number)], owner)
      return false
    }
    renewedMs = atMs
    return true
  }

  const takeAny = async (): Promise<number> => {
    for (let attempt = 0; ; attempt += 1) {
      const taken = await claims.live(prefix, lifetimeMs)
      const free = Array.from({ length: maxReplicas }, (_, each) => each).filter(
        each => !taken.has(nameOf(each)),
      )
      // Replicas that start at the same time first try the same number, and then retry with random numbers.
      const number = free[attempt === 0 ? 0 : Math.floor(Math.random() * free.length)]
      if (number === undefined) {
        throw new StoreUnavailableError(
          `${maxReplicas} replicas of Sixpane already use the database: stop one of them, or wait a minute if some were killed`,
        )
      }
      if (await take(number)) return number
    }
  }

  let claimed = await takeAny()
  // Ignores errors, because `confirm` reports them.
  const timer = setInterval(() => void take(claimed).catch(() => {}), renewalMs)
  timer.unref()

  return {
    number: () => claimed,
    async confirm() {
      if (performance.now() - renewedMs < lifetimeMs / 2) return
      if (!(await take(claimed))) claimed = await takeAny()
    },
    async release() {
      clearInterval(timer)
      await claims.release([nameOf(claimed)], owner)
    },
  }
}

function nameOf(number: number): string {
  return `${prefix}${number}`
}
