import { groupBy } from '../../common/group-by.ts'
import { text } from '../../common/rows.ts'
import { sql } from '../../common/sql.ts'
import type { RequestClaim } from '../../event-store.ts'
import { StoreUnavailableError } from '../../store.ts'
import type { Engine } from '../engine/engine.ts'
import { maxInsertMs } from '../engine/insert.ts'
import { textList } from '../sql/text-list.ts'

const lifetimeMs = 1.5 * maxInsertMs
/** If the server begins an insert at most this long after `confirm`, the insert ends before the claim expires. */
const maxDelayMs = 2000
const prefix = 'request '

export type RequestClaims = {
  /**
   * See `EventStore`. A claim is not released after the insert, so no other replica stores the request until the claim
   * expires.
   */
  claim(keys: readonly string[]): Promise<RequestClaim[]>
  /**
   * Checks that an insert that begins now ends before the claims on these requests expire. Call this immediately before the
   * insert.
   * @throws StoreUnavailableError if the requests were claimed too long ago
   */
  confirm(keys: readonly string[]): void
}

/** @param monotonicMs a clock that is never set back */
export function createRequestClaims(
  { claims, ids, select }: Pick<Engine, 'claims' | 'ids' | 'select'>,
  monotonicMs = () => performance.now(),
): RequestClaims {
  /** For each claimed request, in the order of the claims: the latest time at which its events may be inserted. */
  const deadlines = new Map<string, number>()

  const claimFrom = async (keys: readonly string[]): Promise<RequestClaim[]> => {
    // Each call is a separate owner. The events of the requests that it claims get ids greater than the owner's id.
    const [ownerId = 0] = ids.take(1)
    const names = keys.map(key => prefix + key)
    const others = await claims.claim(names, String(ownerId), lifetimeMs)
    if (others.length === 0) return keys.map(() => 'new')
    const byName = new Map(groupBy(others, ({ name }) => name).map(([{ name }, all]) => [name, all]))
    const rows = await select(sql`
      SELECT DISTINCT arrayJoin(request_keys) AS key FROM event
      WHERE id > ${Math.min(...others.map(({ owner }) => Number(owner)))}
        AND hasAny(request_keys, ${textList(keys.filter(key => byName.has(prefix + key)))})`)
    const stored = new Set(rows.map(row => text(row.key)))
    const outcome = keys.map((key): RequestClaim => {
      if (stored.has(key)) return 'stored'
      return byName.get(prefix + key)?.some(({ isLive }) => isLive) === true ? 'busy' : 'new'
    })
    const lost = names.filter((_, index) => outcome[index] !== 'new')
    if (lost.length > 0) await claims.release(lost, String(ownerId))
    return outcome
  }

  return {
    async claim(keys) {
      if (keys.length === 0) return []
      // The lifetime of the claim begins later, when the database stores the claim.
      const claimedMs = monotonicMs()
      for (const [key, deadlineMs] of deadlines) {
        if (deadlineMs >= claimedMs) break
        deadlines.delete(key)
      }
      const outcome = await claimFrom(keys)
      for (const [index, key] of keys.entries()) {
        if (outcome[index] !== 'new') continue
        deadlines.delete(key)
        deadlines.set(key, claimedMs + lifetimeMs - maxInsertMs - maxDelayMs)
      }
      return outcome
    },
    confirm(keys) {
      const nowMs = monotonicMs()
      if (keys.every(key => nowMs <= (deadlines.get(key) ?? Number.NEGATIVE_INFINITY))) return
      throw new StoreUnavailableError('The claim on a request is too old for its events to be stored')
    },
  }
}
