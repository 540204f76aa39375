import { createTimeSlice } from '../../../time-slice.ts'
import type { EventBlock, EventChunk, EventGroup } from '../engine/event-block.ts'
import { grainUs } from '../engine/request-summary.ts'
import type { TimesUs } from '../engine/times.ts'

/** Blocks, and the times of the events that are needed from them. */
export type TimedBlocks = { blocks: readonly EventBlock[]; times: readonly TimesUs[] }

export type VisitEvent = (timeUs: number, bin: number) => void

/**
 * Visits events, and yields to other requests.
 * @param select returns the function to call for each event of a group; `null` skips the group. Called once for each group
 *   with events during the times
 */
export async function visitBlocks(
  parts: readonly TimedBlocks[],
  select: (group: EventGroup) => VisitEvent | null,
): Promise<void> {
  const visits = new Map<EventGroup, VisitEvent | null>()
  const visitOf = (group: EventGroup): VisitEvent | null => {
    const known = visits.get(group)
    if (known !== undefined) return known
    const visit = select(group)
    visits.set(group, visit)
    return visit
  }
  await visitGroups(parts, (group, { offsetUs, bin }, start, end, fromUs, times) => {
    let visit: VisitEvent | null | undefined
    for (let at = start; at < end && visit !== null; at += 1) {
      const timeUs = fromUs + (offsetUs[at] ?? 0)
      if (times !== null && !isDuring(times, timeUs)) continue
      visit ??= visitOf(group)
      visit?.(timeUs, bin[at] ?? 0)
    }
  })
}

/** Counts events by group. */
export async function countEvents(parts: readonly TimedBlocks[]): Promise<Map<EventGroup, number>> {
  const counts = new Map<EventGroup, number>()
  await visitGroups(parts, (group, { offsetUs }, start, end, fromUs, times) => {
    let count = times === null ? end - start : 0
    for (let at = start; at < end && times !== null; at += 1) {
      if (isDuring(times, fromUs + (offsetUs[at] ?? 0))) count += 1
    }
    if (count > 0) counts.set(group, (counts.get(group) ?? 0) + count)
  })
  return counts
}

/** @param visit gets `null` instead of times if all events of the chunk are needed */
async function visitGroups(
  parts: readonly TimedBlocks[],
  visit: (
    group: EventGroup,
    chunk: EventChunk,
    start: number,
    end: number,
    fromUs: number,
    times: readonly TimesUs[] | null,
  ) => void,
): Promise<void> {
  const slice = createTimeSlice()
  for (const { blocks, times } of parts) {
    for (const { fromUs, chunks } of blocks) {
      const toUs = fromUs + grainUs
      const inBlock = times.filter(range => range.fromUs < toUs && range.toUs > fromUs)
      if (inBlock.length === 0) continue
      const isWhole = inBlock.some(range => range.fromUs <= fromUs && range.toUs >= toUs)
      for (const chunk of chunks) {
        if (slice.isUsedUp()) await slice.yieldToOthers()
        let start = 0
        for (const [index, group] of chunk.groups.entries()) {
          const end = chunk.end[index] ?? start
          visit(group, chunk, start, end, fromUs, isWhole ? null : inBlock)
          start = end
        }
      }
    }
  }
}

function isDuring(times: readonly TimesUs[], timeUs: number): boolean {
  for (const { fromUs, toUs } of times) if (timeUs >= fromUs && timeUs < toUs) return true
  return false
}
