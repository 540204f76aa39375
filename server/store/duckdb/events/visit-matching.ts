import type { Filter } from '../../event-store.ts'
import type { EventGroup } from '../engine/event-block.ts'
import { timesOf } from '../engine/times.ts'
import type { Source } from '../sql/source.ts'
import { eventParts } from './event-parts.ts'
import { groupFilter } from './group-filter.ts'
import { type VisitEvent, visitBlocks } from './visit-blocks.ts'

/**
 * Visits the matching events if all events of the window are in memory.
 * @returns whether they are
 */
export async function visitMatching(
  source: Source,
  { window, query }: Filter,
  select: (group: EventGroup) => VisitEvent,
): Promise<boolean> {
  const isMatching = groupFilter(query, await source.failureIndex())
  if (isMatching === null) return false
  const times = [timesOf(window)]
  const parts = source.segments.overlapping(window).map(segment => ({ segment, times }))
  const { blocks, events } = await eventParts(source, parts, { onlyFailures: false })
  if (events !== null) return false
  await visitBlocks(blocks, group => (isMatching(group) ? select(group) : null))
  return true
}
