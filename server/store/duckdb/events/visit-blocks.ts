import { createTimeSlice } from '../../../time-slice.ts'
import type { EventBlock, EventChunk, EventGroup } from '../engine/event-block.ts'
import { grainUs } from '../engine/request-summary.ts'
import type { TimesUs } from '../engine/times.ts'

/** Blocks of which only the events during these times are needed. */
export type TimedBlocks = { blocks: readonly EventBlock[]; times: readonly TimesUs[] }

export type VisitEvent = (timeUs: number, bin: number) => void

/**
 * Visits events, and yields to other requests.
 * @param select returns the function to call for each event of a group; `null` skips the group. Called only for groups with
 *   events during the times
 */
export async function visitBlocks(
  parts: readonly TimedBlocks[],
  select: (group: EventGroup) => VisitEvent | null,
): Promise<void> {
  const slice = createTimeSlice()
  for (const { blocks, times } of parts) {
    for (const { fromUs, chunks } of blocks) {
      const inBlock = times.filter(range => range.fromUs < fromUs + grainUs && range.toUs > fromUs)
      if (inBlock.length === 0) continue
      for (const chunk of chunks) {
        if (slice.isUsedUp()) await slice.yieldToOthers()
        visitChunk(chunk, fromUs, inBlock, select)
      }
    }
  }
}

function visitChunk(
  { groups, end, offsetUs, bin }: EventChunk,
  fromUs: number,
  times: readonly TimesUs[],
  select: (group: EventGroup) => VisitEvent | null,
): void {
  const [only] = times
  const isWhole =
    times.length === 1 && only !== undefined && only.fromUs <= fromUs && only.toUs >= fromUs + grainUs
  let at = 0
  groups.forEach((group, index) => {
    const groupEnd = end[index] ?? at
    let visit: VisitEvent | null | undefined
    for (; at < groupEnd && visit !== null; at += 1) {
      const timeUs = fromUs + (offsetUs[at] ?? 0)
      if (!isWhole && !isDuring(times, timeUs)) continue
      visit ??= select(group)
      visit?.(timeUs, bin[at] ?? 0)
    }
    at = groupEnd
  })
}

function isDuring(times: readonly TimesUs[], timeUs: number): boolean {
  for (const { fromUs, toUs } of times) if (timeUs >= fromUs && timeUs < toUs) return true
  return false
}
