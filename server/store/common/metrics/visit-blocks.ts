import { createTimeSlice } from '../../../time-slice.ts'
import { boundsOf } from './chunk-bounds.ts'
import type { EventBlock, EventChunk, EventGroup } from './event-block.ts'
import type { VisitEvents } from './event-reader.ts'
import { type Buckets, bucketTimes, isDuring, noTimes, overlaps, type TimesUs } from './times.ts'

/** Blocks of events. Only events of these services (`null` means all) in these time ranges are visited. */
export type TimedBlocks<Group = EventGroup> = {
  blocks: readonly EventBlock<Group>[]
  times: readonly TimesUs[]
  services: ReadonlySet<string> | null
}

/** The entries of a group in a chunk, from `start` to before `end`. */
export type Run = {
  chunk: Pick<EventChunk, 'offsetUs' | 'bin' | 'count'>
  start: number
  end: number
  /** The start of the block. */
  fromUs: number
  /** Only entries in these time ranges are visited; `null` means all. */
  times: readonly TimesUs[] | null
}

/**
 * Visits events group by group, and yields to other requests. A loop over the entries of a run is several times as fast as a
 * call for each entry.
 * @param select returns the function to call for each run of a group; `null` skips the group. Called once for each group of
 * a part
 */
export async function visitRuns<Group extends { service: string }>(
  parts: readonly TimedBlocks<Group>[],
  select: (group: Group) => ((run: Run) => void) | null,
): Promise<void> {
  for (const part of parts) {
    const visits = new Map<number, ReturnType<typeof select>>()
    const visitOf = (index: number, group: Group | undefined) => {
      const existing = visits.get(index)
      if (existing !== undefined) return existing
      const visit = group === undefined || !isVisited(part, group) ? null : select(group)
      visits.set(index, visit)
      return visit
    }
    await visitChunks(part, (chunk, fromUs, times) => {
      let start = 0
      for (const [position, index] of chunk.group.entries()) {
        const end = chunk.end[position] ?? start
        visitOf(index, chunk.groups[index])?.({ chunk, start, end, fromUs, times })
        start = end
      }
    })
  }
}

/**
 * Visits events, and yields to other requests.
 * @param select returns the function to call for successive events of a group in the same bucket; `null` skips the group.
 * Called once for each group with events in the time ranges of a part
 */
export async function visitBlocks<Group extends { service: string }>(
  parts: readonly TimedBlocks<Group>[],
  buckets: Buckets,
  select: (group: Group) => VisitEvents | null,
): Promise<void> {
  await visitRuns(parts, group => {
    let selected: VisitEvents | null | undefined
    const visit: VisitEvents = (newestUs, count) => {
      if (selected === undefined) selected = select(group)
      selected?.(newestUs, count)
    }
    return run => {
      if (selected !== null) visitRun(run, buckets, visit)
    }
  })
}

/** Calls `visit` once for successive entries in the same bucket, because a call for each entry would be slower. */
function visitRun(
  { chunk: { offsetUs, count }, start, end, fromUs, times }: Run,
  buckets: Buckets,
  visit: VisitEvents,
): void {
  let bucket = noTimes
  let [newestUs, events] = [0, 0]
  for (let at = start; at < end; at += 1) {
    const timeUs = fromUs + (offsetUs[at] ?? 0)
    if (times !== null && !isDuring(times, timeUs)) continue
    if (timeUs < bucket.fromUs || timeUs >= bucket.toUs) {
      if (events > 0) visit(newestUs, events)
      bucket = bucketTimes(buckets, timeUs)
      newestUs = timeUs
      events = 0
    }
    if (timeUs > newestUs) newestUs = timeUs
    events += count === null ? 1 : (count[at] ?? 0)
  }
  if (events > 0) visit(newestUs, events)
}

/** Counts events by group. */
export async function countEvents<Group extends { service: string }>(
  parts: readonly TimedBlocks<Group>[],
): Promise<(readonly [Group, number])[]> {
  const counters: { group: Group; events: number }[] = []
  await visitRuns(parts, group => {
    const counter = { group, events: 0 }
    counters.push(counter)
    return ({ chunk: { offsetUs, count }, start, end, fromUs, times }) => {
      let events = times === null && count === null ? end - start : 0
      for (let at = start; at < end && (times !== null || count !== null); at += 1) {
        if (times === null || isDuring(times, fromUs + (offsetUs[at] ?? 0)))
          events += count === null ? 1 : (count[at] ?? 0)
      }
      counter.events += events
    }
  })
  return counters.filter(({ events }) => events > 0).map(({ group, events }) => [group, events])
}

function isVisited({ services }: Pick<TimedBlocks, 'services'>, { service }: { service: string }): boolean {
  return services === null || services.has(service)
}

/** @param visit receives `null` instead of times if all events of the chunk are needed */
async function visitChunks<Group>(
  { blocks, times }: Pick<TimedBlocks<Group>, 'blocks' | 'times'>,
  visit: (chunk: EventChunk<Group>, fromUs: number, times: readonly TimesUs[] | null) => void,
): Promise<void> {
  const slice = createTimeSlice()
  for (const { fromUs, chunks } of blocks) {
    for (const chunk of chunks) {
      const bounds = boundsOf(chunk, fromUs)
      const inChunk = bounds === null ? [] : times.filter(range => overlaps(bounds, range))
      if (bounds === null || inChunk.length === 0) continue
      if (slice.isUsedUp()) await slice.yieldToOthers()
      const isCovered = inChunk.some(range => range.fromUs <= bounds.fromUs && range.toUs > bounds.toUs)
      visit(chunk, fromUs, isCovered ? null : inChunk)
    }
  }
}
