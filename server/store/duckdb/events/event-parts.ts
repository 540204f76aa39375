import { join, type Sql, sql } from '../../common/sql.ts'
import type { Segment } from '../engine/segments.ts'
import type { TimesUs } from '../engine/times.ts'
import { isVisible, type Source } from '../sql/source.ts'
import { eventsDuring } from './events-during.ts'
import type { TimedBlocks } from './visit-blocks.ts'

/** Events of a segment in these time ranges, with ids above `afterId`. */
export type EventPart = { segment: Segment; times: readonly TimesUs[]; afterId?: number }

/** With more events, the engine counts faster than JavaScript, because it uses all cores. */
const maxEvents = 500_000

/**
 * Reads events as blocks in memory where possible. `events` is the table of the other events, or `null` if there are none.
 */
export async function eventParts(
  source: Source,
  parts: readonly EventPart[],
  { onlyFailures }: { onlyFailures: boolean },
): Promise<{ blocks: TimedBlocks[]; events: Sql | null }> {
  const blocks: TimedBlocks[] = []
  const others: Sql[] = []
  for (const { segment, times, afterId = -1 } of parts) {
    const subset = { afterId, onlyFailures }
    const read = await source.eventBlocks(segment, times, subset, maxEvents / parts.length)
    if (read === null) others.push(...eventsDuring(segment, times, afterId))
    else blocks.push({ blocks: read, times, services: source.services })
  }
  const isIncluded = onlyFailures ? sql`fingerprint IS NOT NULL` : sql`true`
  const events =
    others.length === 0
      ? null
      : sql`(SELECT * FROM (${join(others, ' UNION ALL ')}) WHERE ${isIncluded} AND ${isVisible(source)})`
  return { blocks, events }
}
