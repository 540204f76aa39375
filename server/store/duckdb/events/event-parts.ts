import { overlaps, type TimesUs } from '../../common/metrics/times.ts'
import type { TimedBlocks } from '../../common/metrics/visit-blocks.ts'
import { join, type Sql, sql } from '../../common/sql.ts'
import type { Segment } from '../engine/segments.ts'
import { isVisible, type Source } from '../sql/source.ts'
import { eventsDuring } from './events-during.ts'

/** Events of a segment in these time ranges, with ids above `afterId`. */
export type EventPart = { segment: Segment; times: readonly TimesUs[]; afterId?: number }

/** With more events, the engine counts faster than JavaScript, because it uses all cores. */
const maxEvents = 500_000

/**
 * Reads events as blocks in memory where possible.
 * @returns the blocks, and the parts with too many events or groups
 */
export async function readBlocks(
  source: Source,
  all: readonly EventPart[],
  { onlyFailures }: { onlyFailures: boolean },
): Promise<{ blocks: TimedBlocks[]; others: EventPart[] }> {
  const parts = all.filter(({ segment, times }) => times.some(range => overlaps(segment, range)))
  const blocks: TimedBlocks[] = []
  const others: EventPart[] = []
  for (const part of parts) {
    const { segment, times, afterId = -1 } = part
    const subset = { afterId, onlyFailures, isCounted: false }
    const read = await source.eventBlocks(segment, times, subset, maxEvents / parts.length)
    if (read === null) others.push(part)
    else blocks.push({ blocks: read, times, services: source.services })
  }
  return { blocks, others }
}

/** The events of these parts as a table, or `null` if there are no parts. */
export function eventsOfParts(
  source: Source,
  parts: readonly EventPart[],
  { onlyFailures }: { onlyFailures: boolean },
): Sql | null {
  const events = parts.flatMap(({ segment, times, afterId }) => eventsDuring(segment, times, afterId))
  if (events.length === 0) return null
  const isIncluded = onlyFailures ? sql`fingerprint IS NOT NULL` : sql`true`
  return sql`(SELECT * FROM (${join(events, ' UNION ALL ')}) WHERE ${isIncluded} AND ${isVisible(source)})`
}
