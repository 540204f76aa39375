import type { EventBlock } from '../../common/metrics/event-block.ts'
import type { TimesUs } from '../../common/metrics/times.ts'
import type { Segment } from './segments.ts'

/** Which events to read. */
export type EventSubset = {
  /** Only events with greater ids; -1 for all. */
  afterId: number
  /** Only events with a fingerprint. These are few, so longer windows fit into memory. */
  onlyFailures: boolean
  /** Whether to count the events of each group. Counts take less memory, unless most groups contain only one event. */
  isCounted: boolean
}

/**
 * Returns the blocks that contain a segment's events in these time ranges. The blocks may also contain other events.
 * @param maxEvents ignored for counted events
 * @returns `null` if there are too many groups or blocks, or probably more than `maxEvents` events
 */
export type ReadEventBlocks = (
  segment: Segment,
  times: readonly TimesUs[],
  subset: EventSubset,
  maxEvents: number,
) => Promise<EventBlock[] | null>
