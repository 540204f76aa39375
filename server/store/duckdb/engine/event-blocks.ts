import type { ReadResult } from './connections.ts'
import type { EventSubset, ReadEventBlocks } from './read-event-blocks.ts'
import type { RecentEvents } from './recent-events.ts'
import { createBlockCache, SegmentBlocks } from './segment-blocks.ts'
import type { Segment } from './segments.ts'

/** Events that are cached in memory, without their text. */
export type EventBlocks = {
  read: ReadEventBlocks
  /** Frees the blocks of deleted segments. */
  prune(segments: readonly Segment[]): void
}

/** Enough for ten million events in few groups. */
const defaultMaxBytes = 100_000_000

/** Reads each event into memory only once, because even a query for a few events takes milliseconds. */
export function createEventBlocks(
  readResult: ReadResult,
  recentEvents: Pick<RecentEvents, 'since'>,
  maxBytes = defaultMaxBytes,
): EventBlocks {
  const source = { cache: createBlockCache(maxBytes), readResult, recentEvents }
  const slots = new Map<string, { segmentName: string; blocks: SegmentBlocks }>()

  const blocksOf = (segment: Segment, subset: EventSubset): SegmentBlocks => {
    const slot = slotOf(segment, subset)
    const key = `${slot} ${segment.revision} ${subset.afterId}`
    const cached = slots.get(slot)?.blocks
    if (cached?.key === key) return cached
    // Blocks of an earlier revision are never read again, and blocks for another `afterId` rarely are.
    cached?.free()
    const blocks = new SegmentBlocks(key, segment, subset, source)
    slots.set(slot, { segmentName: segment.name, blocks })
    return blocks
  }

  return {
    read: (segment, times, subset, maxEvents) => blocksOf(segment, subset).read(segment, times, maxEvents),
    prune(segments) {
      const current = new Set(segments.map(({ name }) => name))
      for (const [slot, { segmentName, blocks }] of slots) {
        if (current.has(segmentName)) continue
        slots.delete(slot)
        blocks.free()
      }
    },
  }
}

/** Identifies a kind of subset. At most one subset of each kind is in memory for each segment. */
function slotOf({ name }: Segment, { afterId, onlyFailures, isCounted }: EventSubset): string {
  const events = onlyFailures ? 'failures' : afterId < 0 ? 'all' : 'newest'
  return `${name} ${events} ${isCounted ? 'counts' : 'times'}`
}
