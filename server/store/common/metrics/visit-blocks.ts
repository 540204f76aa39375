import { createTimeSlice } from '../../../time-slice.ts'
import type { EventBlock, EventChunk, EventGroup } from './event-block.ts'
import { grainUs, type TimesUs } from './times.ts'

/** Blocks of events. Only events of these services (`null` means all) in these time ranges are visited. */
export type TimedBlocks<Group = EventGroup> = {
  blocks: readonly EventBlock<Group>[]
  times: readonly TimesUs[]
  services: ReadonlySet<string> | null
}

/** `timeUs` is the time of the newest of `count` events. `bin` is 0 if they are counted (see `EventChunk`). */
export type VisitEntry = (timeUs: number, count: number, bin: number) => void

/**
 * Visits events, and yields to other requests.
 * @param select returns the function to call for each entry of a group; `null` skips the group. Called once for each group
 * with events in the time ranges of a part
 */
export async function visitBlocks<Group extends { service: string }>(
  parts: readonly TimedBlocks<Group>[],
  select: (group: Group) => VisitEntry | null,
): Promise<void> {
  for (const part of parts) {
    const visits = new Array<VisitEntry | null | undefined>(groupsOf(part).length).fill(undefined)
    await visitChunks(part, ({ groups, group: indexes, end: ends, offsetUs, bin, count }, fromUs, times) => {
      let at = 0
      for (let position = 0; position < indexes.length; position += 1) {
        const index = indexes[position] ?? 0
        const end = ends[position] ?? at
        let visit = visits[index]
        for (; at < end && visit !== null; at += 1) {
          const timeUs = fromUs + (offsetUs[at] ?? 0)
          if (times !== null && !isDuring(times, timeUs)) continue
          if (visit === undefined) {
            const group = groups[index]
            visit = group === undefined || !isVisited(part, group) ? null : select(group)
            visits[index] = visit
          }
          visit?.(timeUs, count === null ? 1 : (count[at] ?? 0), bin[at] ?? 0)
        }
        at = end
      }
    })
  }
}

/** Counts events by group. */
export async function countEvents<Group extends { service: string }>(
  parts: readonly TimedBlocks<Group>[],
): Promise<(readonly [Group, number])[]> {
  const all: (readonly [Group, number])[] = []
  for (const part of parts) {
    const groups = groupsOf(part)
    const sums = new Float64Array(groups.length)
    await visitChunks(part, ({ group: indexes, end: ends, offsetUs, count }, fromUs, times) => {
      let start = 0
      for (let position = 0; position < indexes.length; position += 1) {
        const index = indexes[position] ?? 0
        const end = ends[position] ?? start
        let sum = times === null && count === null ? end - start : 0
        for (let at = start; at < end && (times !== null || count !== null); at += 1) {
          if (times === null || isDuring(times, fromUs + (offsetUs[at] ?? 0)))
            sum += count === null ? 1 : (count[at] ?? 0)
        }
        sums[index] = (sums[index] ?? 0) + sum
        start = end
      }
    })
    for (const [index, group] of groups.entries()) {
      const sum = sums[index] ?? 0
      if (sum > 0 && isVisited(part, group)) all.push([group, sum])
    }
  }
  return all
}

function isVisited({ services }: Pick<TimedBlocks, 'services'>, { service }: { service: string }): boolean {
  return services === null || services.has(service)
}

function groupsOf<Group>({ blocks }: Pick<TimedBlocks<Group>, 'blocks'>): readonly Group[] {
  return blocks.find(({ chunks }) => chunks.length > 0)?.chunks[0]?.groups ?? []
}

/** @param visit receives `null` instead of times if all events of the chunk are needed */
async function visitChunks<Group>(
  { blocks, times }: Pick<TimedBlocks<Group>, 'blocks' | 'times'>,
  visit: (chunk: EventChunk<Group>, fromUs: number, times: readonly TimesUs[] | null) => void,
): Promise<void> {
  const slice = createTimeSlice()
  for (const { fromUs, chunks } of blocks) {
    const toUs = fromUs + grainUs
    const inBlock = times.filter(range => range.fromUs < toUs && range.toUs > fromUs)
    if (inBlock.length === 0) continue
    const isCovered = inBlock.some(range => range.fromUs <= fromUs && range.toUs >= toUs)
    for (const chunk of chunks) {
      if (slice.isUsedUp()) await slice.yieldToOthers()
      visit(chunk, fromUs, isCovered ? null : inBlock)
    }
  }
}

function isDuring(times: readonly TimesUs[], timeUs: number): boolean {
  for (const { fromUs, toUs } of times) if (timeUs >= fromUs && timeUs < toUs) return true
  return false
}
