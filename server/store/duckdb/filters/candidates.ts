import type { Segment } from '../engine/segments.ts'
import { type Block, blockEvents } from './block.ts'
import type { BlockFilter } from './block-filter.ts'
import type { MayMatch } from './may-match.ts'

/** The events of a segment that may match. */
export type Candidates = {
  /** The blocks that may contain matching events. */
  blocks: readonly BlockFilter[]
  /** The id ranges of these blocks. Adjacent blocks form one range. */
  ranges: readonly Block[]
  /** The ids of newer events, which may have no filter yet, or `null` if there are none. */
  unfiltered: Block | null
  /** The approximate number of events in these blocks, plus newer events. */
  maxEvents: number
}

export function candidatesIn(
  { firstId, lastId, events }: Pick<Segment, 'firstId' | 'lastId' | 'events'>,
  filters: readonly BlockFilter[],
  mayMatch: MayMatch | null,
): Candidates {
  const consecutive = consecutiveIn(filters)
  const blocks = consecutive.filter(
    filter => filter.lastId >= firstId && (mayMatch === null || mayMatch(filter)),
  )
  const filteredId = consecutive.at(-1)?.lastId ?? 0
  return {
    blocks,
    ranges: rangesOf(blocks),
    maxEvents:
      Math.min(events, blocks.length * blockEvents) + Math.max(events - consecutive.length * blockEvents, 0),
    unfiltered: lastId > filteredId ? { afterId: filteredId, lastId: Number.POSITIVE_INFINITY } : null,
  }
}

/** Merges adjacent ranges. */
export function rangesOf(blocks: readonly Block[]): Block[] {
  const ranges: Block[] = []
  for (const { afterId, lastId } of blocks) {
    const previous = ranges.at(-1)
    if (previous?.lastId === afterId) previous.lastId = lastId
    else ranges.push({ afterId, lastId })
  }
  return ranges
}

/** The filters up to the first gap. If a filter was stored twice, uses it only once, so that no event is found twice. */
function consecutiveIn(filters: readonly BlockFilter[]): BlockFilter[] {
  const consecutive: BlockFilter[] = []
  for (const filter of filters) {
    if (filter.afterId === (consecutive.at(-1)?.lastId ?? 0)) consecutive.push(filter)
  }
  return consecutive
}
