import { number } from '../../common/rows.ts'
import { join, type Sql, slow, sql } from '../../common/sql.ts'
import type { Segment } from '../engine/segments.ts'
import { eventsBetween, type Source } from '../sql/source.ts'

/**
 * The maximum number of events in a block. Larger blocks would more often be read unnecessarily. The filters of smaller
 * blocks would repeat more of the same text.
 */
export const blockEvents = 65_536
/**
 * Limits the memory needed to build a filter, and the size of the value that is copied in one turn of the event loop: with
 * 27 MB, a turn took 48 ms of CPU time.
 */
const blockBytes = 8 * 1024 * 1024

const longColumns = [sql`body`, sql`exception_message`, sql`exception_stack`, sql`attributes`]

/** Consecutive events of a segment, with ids above `afterId`, up to `lastId`. */
export type Block = { afterId: number; lastId: number }

/**
 * The next block after an id. Returns `null` if there is none, or if it is the last one of the active segment and not full.
 */
export async function nextBlock(
  query: Source['query'],
  segment: Segment,
  afterId: number,
  isActive: boolean,
  maxEvents: number,
): Promise<Block | null> {
  const newer = eventsBetween(segment, afterId, segment.lastId)
  const [all] = await query(slow(sql`SELECT max(id) AS last_id, count(*) AS count FROM ${newer}`))
  const available = number(all?.count)
  if (available === 0 || (isActive && available < maxEvents)) return null
  for (let count = Math.min(available, maxEvents); ; ) {
    const lastId = count === available ? number(all?.last_id) : await idOf(query, newer, count)
    const block = { afterId, lastId }
    const sizes = longColumns.map(column => sql`coalesce(strlen(${column}), 0)`)
    const [text] = await query(
      slow(sql`SELECT sum(${join(sizes, ' + ')})::BIGINT AS bytes
        FROM ${eventsBetween(segment, afterId, block.lastId)}`),
    )
    const bytes = number(text?.bytes)
    if (bytes <= blockBytes || count === 1) return block
    count = Math.max(1, Math.floor((count * blockBytes) / bytes / 2))
  }
}

/** The id of the nth event, counted from the oldest one. */
async function idOf(query: Source['query'], events: Sql, count: number): Promise<number> {
  const [found] = await query(slow(sql`SELECT id FROM ${events} ORDER BY id LIMIT 1 OFFSET ${count - 1}`))
  return number(found?.id)
}
