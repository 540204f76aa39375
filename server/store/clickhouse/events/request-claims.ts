import { groupBy } from '../../common/group-by.ts'
import { text } from '../../common/rows.ts'
import { sql } from '../../common/sql.ts'
import type { RequestClaim } from '../../event-store.ts'
import { maxInsertMs } from '../engine/connection.ts'
import type { Engine } from '../engine/engine.ts'
import { textList } from '../sql/text-list.ts'

/** An insert that begins when its request is claimed can no longer succeed after this time. */
const lifetimeMs = 1.5 * maxInsertMs
const prefix = 'request '

/**
 * See `EventStore`. A claim is not released after the insert, so no other replica stores the request until the claim
 * expires. By then, either the key is stored with the events, or the insert has failed.
 */
export async function claimRequests(
  { claims, ids, select }: Pick<Engine, 'claims' | 'ids' | 'select'>,
  keys: readonly string[],
): Promise<RequestClaim[]> {
  if (keys.length === 0) return []
  // Each call is a separate owner. The events of the requests that it claims get greater ids than the owner's id.
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
