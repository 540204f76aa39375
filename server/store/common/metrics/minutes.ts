import { createTimeSlice } from '../../../time-slice.ts'
import { boundsOf } from './chunk-bounds.ts'
import { divideAtPeriods } from './divide-at-grains.ts'
import type { EventBlock, EventChunk } from './event-block.ts'
import { type Buckets, grainUs, overlaps, type TimesUs } from './times.ts'
import type { TimedBlocks } from './visit-blocks.ts'

export const minuteUs = 60_000_000
/** The number of minutes in a block. */
export const minutesPerGrain = grainUs / minuteUs

/**
 * Replaces the events of whole minutes. Returns the other events.
 * @param replace replaces the events of a chunk in these whole minutes, or returns `false`
 */
export async function replaceMinutes<Group>(
  parts: readonly TimedBlocks<Group>[],
  buckets: Buckets,
  replace: (
    chunk: EventChunk<Group>,
    at: { fromUs: number; whole: readonly TimesUs[]; part: TimedBlocks<Group> },
  ) => boolean,
): Promise<TimedBlocks<Group>[]> {
  const slice = createTimeSlice()
  const remaining: TimedBlocks<Group>[] = []
  for (const part of parts) {
    const unchanged: EventBlock<Group>[] = []
    for (const { fromUs, chunks } of part.blocks) {
      for (const chunk of chunks) {
        const bounds = boundsOf(chunk, fromUs)
        if (bounds === null) continue
        if (slice.isUsedUp()) await slice.yieldToOthers()
        const { whole, others } = divideAtMinutes(part.times, bounds, buckets)
        const blocks = [{ fromUs, chunks: [chunk] }]
        if (whole.length === 0 || !replace(chunk, { fromUs, whole, part })) unchanged.push(...blocks)
        else if (others.length > 0) remaining.push({ ...part, blocks, times: others })
      }
    }
    remaining.push({ ...part, blocks: unchanged })
  }
  return remaining
}

/**
 * Divides the time ranges in which events of a chunk are needed into whole minutes that are in one bucket each, and the
 * remaining times. If a range ends after the newest event, the minute of this event counts as whole.
 * @param bounds the times of the chunk's first and last events
 */
function divideAtMinutes(
  times: readonly TimesUs[],
  bounds: TimesUs,
  { fromUs, bucketUs }: Buckets,
): { whole: readonly TimesUs[]; others: readonly TimesUs[] } {
  const isAligned = fromUs % minuteUs === 0 && bucketUs % minuteUs === 0
  const isOneBucket = times.every(range => range.fromUs >= fromUs && range.toUs <= fromUs + bucketUs)
  if (!isAligned && !isOneBucket) return { whole: [], others: times }
  const minuteEndUs = (Math.floor(bounds.toUs / minuteUs) + 1) * minuteUs
  const extended = times
    .filter(range => overlaps(bounds, range))
    .map(range => ({ ...range, toUs: range.toUs > bounds.toUs ? minuteEndUs : range.toUs }))
  return divideAtPeriods(extended, minuteUs)
}
