import type { RetentionLimits } from '../../../../shared/retention-limits.ts'
import { sql } from '../../common/sql.ts'
import type { Connection } from '../engine/connection.ts'
import { verbatim } from '../sql/verbatim.ts'
import { countOf, findExpired } from './expired.ts'

/** How long single expired events may remain, because deleting them rewrites all events of a day. */
const singleEveryMs = 3_600_000

/**
 * Returns a function that deletes expired events, and returns their number. The function immediately drops days on which
 * all events have expired, which is cheap. It deletes single events immediately if the limits have changed or too much space
 * is used, and otherwise once an hour.
 */
export function createRetention(
  connection: Pick<Connection, 'select' | 'change' | 'layout'>,
): (limits: RetentionLimits, nowMs: number) => Promise<number> {
  const { change, layout } = connection
  const alter = sql`ALTER TABLE ${layout.storedEvents} ${layout.on}`
  let last: { limits: RetentionLimits; atMs: number } | null = null

  return async (limits, nowMs) => {
    const { whole, single, isTooLarge, countSingle } = await findExpired(connection, limits, nowMs)
    for (const { name } of whole) await change(sql`${alter} DROP PARTITION ID '${verbatim(name)}'`)
    const isSame =
      last !== null && last.limits.maxAgeMs === limits.maxAgeMs && last.limits.maxBytes === limits.maxBytes
    const isRecent = last !== null && nowMs - last.atMs < singleEveryMs
    if (isSame && isRecent && !isTooLarge) return countOf(whole, new Map())
    const counts = await countSingle()
    // A mutation frees the disk space immediately, unlike a lightweight delete.
    for (const day of counts.keys())
      await change(sql`${alter} DELETE IN PARTITION ID '${verbatim(String(day))}' WHERE ${single}`)
    last = { limits, atMs: nowMs }
    return countOf(whole, counts)
  }
}
