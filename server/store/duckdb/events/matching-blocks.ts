import type { Filter } from '../../event-store.ts'
import { timesOf } from '../engine/times.ts'
import type { Source } from '../sql/source.ts'
import { eventParts } from './event-parts.ts'
import { type GroupFilter, groupFilter, needsFingerprint } from './group-filter.ts'
import type { TimedBlocks } from './visit-blocks.ts'

export type MatchingBlocks = { blocks: TimedBlocks[]; isMatching: GroupFilter }

/**
 * Returns the in-memory events of a window and the filter that selects the matching groups, or `null` if the engine has to
 * find the events.
 */
export async function matchingBlocks(
  source: Source,
  { window, query }: Filter,
): Promise<MatchingBlocks | null> {
  const isMatching = groupFilter(query, await source.failureIndex())
  if (isMatching === null) return null
  const times = [timesOf(window)]
  const parts = source.segments.overlapping(window).map(segment => ({ segment, times }))
  const { blocks, events } = await eventParts(source, parts, { onlyFailures: needsFingerprint(query) })
  return events === null ? { blocks, isMatching } : null
}
