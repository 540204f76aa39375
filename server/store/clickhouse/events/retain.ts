import type { RetentionLimits } from '../../../../shared/retention-limits.ts'
import { sql } from '../../common/sql.ts'
import type { Connection } from '../engine/connection.ts'
import { verbatim } from '../sql/verbatim.ts'
import { countOf, findExpired } from './expired.ts'
import type { Partition } from './partitions.ts'

/** How long individual expired events may remain, because deleting them rewrites all events of a day. */
const singleEveryMs = 3_600_000

/**
 * Returns a function that deletes expired events, and that returns the number of events that all servers have deleted. The
 * function immediately drops days on which all events have expired, which is cheap. It deletes individual events immediately
 * if the limits have changed, or if too much space is used and the last deletion has finished, and otherwise once an hour.
 */
export function createRetention(
  connection: Pick<Connection, 'select' | 'layout'>,
): (change: Connection['change'], limits: RetentionLimits, nowMs: number) => Promise<number> {
  const { layout } = connection
  const alter = sql`ALTER TABLE ${layout.storedEvents} ${layout.on}`
  let last: { limits: RetentionLimits; atMs: number; isFinished: boolean } | null = null

  return async (change, limits, nowMs) => {
    const { whole, single, isTooLarge, countSingle } = await findExpired(connection, limits, nowMs)
    const dropped: Partition[] = []
    for (const partition of whole)
      if (await change(sql`${alter} DROP PARTITION ID '${verbatim(partition.name)}'`)) dropped.push(partition)
    const isSame =
      last !== null && last.limits.maxAgeMs === limits.maxAgeMs && last.limits.maxBytes === limits.maxBytes
    // The last deletion is in the future if the clock was set back.
    const isRecent = last !== null && Math.abs(nowMs - last.atMs) < singleEveryMs
    const deleted = new Map<number, number>()
    // Until the last deletion has finished, the deleted events still take space, and another one would rewrite the day again.
    if (isSame && isRecent && !(isTooLarge && last?.isFinished)) return countOf(dropped, deleted)
    const counts = await countSingle()
    // A mutation frees the disk space immediately, unlike a lightweight delete.
    for (const [day, count] of counts)
      if (await change(sql`${alter} DELETE IN PARTITION ID '${verbatim(String(day))}' WHERE ${single}`))
        deleted.set(day, count)
    last = { limits, atMs: nowMs, isFinished: deleted.size === counts.size }
    return countOf(dropped, deleted)
  }
}
