import { randomUUID } from 'node:crypto'
import { number, text } from '../../common/rows.ts'
import { sql } from '../../common/sql.ts'
import { StoreUnavailableError } from '../../store.ts'
import type { Connection } from './connection.ts'
import { maxReplicas } from './ids.ts'

/** A number belongs to a replica until it has not been renewed for this long. All times are those of the database server. */
const lifetimeMs = 60_000
const renewalMs = 15_000

/** The number of this process among the replicas that use the database. */
export type Replica = {
  number(): number
  /** Makes sure that the number still belongs to this replica; otherwise claims another one. Fast while renewals succeed. */
  confirm(): Promise<void>
  release(): Promise<void>
}

/**
 * Claims a number that no other replica uses, and renews the claim.
 * @throws StoreUnavailableError if all numbers are in use
 */
export async function joinReplicas({ select, insert }: Connection): Promise<Replica> {
  const owner = randomUUID()
  const write = (claimed: number, isReleased: boolean) =>
    insert('replica', ['number', 'owner', 'is_released'], [[claimed, owner, Number(isReleased)]])

  /** The owner of each number that is in use: the one that claimed it first. */
  const owners = async (): Promise<Map<number, string>> => {
    const rows = await select(sql`
      SELECT number, argMin(owner, (first_us, owner)) AS owner
      FROM (
        SELECT number, owner, min(seen_us) AS first_us, argMax(is_released, seen_us) AS is_released
        FROM replica
        WHERE seen_us > toUnixTimestamp64Micro(now64(6)) - ${lifetimeMs * 1000}
        GROUP BY number, owner)
      WHERE is_released = 0
      GROUP BY number`)
    return new Map(rows.map(row => [number(row.number), text(row.owner)]))
  }

  const claim = async (): Promise<number> => {
    for (;;) {
      const taken = await owners()
      const free = Array.from({ length: maxReplicas }, (_, each) => each).find(each => !taken.has(each))
      if (free === undefined) {
        throw new StoreUnavailableError(
          `${maxReplicas} replicas of Sixpane already use the database: stop one of them, or wait a minute if some were killed`,
        )
      }
      await write(free, false)
      if ((await owners()).get(free) === owner) return free
      await write(free, true)
    }
  }

  let claimed = await claim()
  let renewedMs = performance.now()
  const renew = async () => {
    const atMs = performance.now()
    await write(claimed, false)
    renewedMs = atMs
  }
  // `confirm` reports errors.
  const timer = setInterval(() => renew().catch(() => {}), renewalMs)
  timer.unref()

  return {
    number: () => claimed,
    async confirm() {
      if (performance.now() - renewedMs < lifetimeMs / 2) return
      await renew()
      if ((await owners()).get(claimed) === owner) return
      claimed = await claim()
    },
    async release() {
      clearInterval(timer)
      await write(claimed, true)
    },
  }
}
