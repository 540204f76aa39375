import type { EventChunk } from './event-block.ts'
import type { CountedGroup } from './event-reader.ts'
import { createGroupList, type GroupList } from './group-list.ts'
import { createGrowingArray } from './growing-array.ts'
import { minutesPerGrain, minuteUs, replaceMinutes } from './minutes.ts'
import type { Buckets } from './times.ts'
import type { TimedBlocks } from './visit-blocks.ts'

/** Smaller chunks are visited quickly. */
const minEvents = 1000
/** With more entries, visiting the counts would take almost as long as visiting the events. */
const maxEntriesPerEvent = 0.25

/** The counted chunk for each chunk of events; `null` if counting would not help. */
const counted = new WeakMap<EventChunk<CountedGroup>, EventChunk<CountedGroup> | null>()
/** The groups of the counted chunks, for the groups of the events. */
const countedGroups = new WeakMap<readonly CountedGroup[], GroupList<CountedGroup>>()

/**
 * Replaces events in whole minutes with their counts, which are computed once for each chunk. Charts of an hour or two, whose
 * buckets are shorter than a block, then visit far fewer entries.
 */
export async function withMinuteChunks(
  parts: readonly TimedBlocks<CountedGroup>[],
  buckets: Buckets,
): Promise<TimedBlocks<CountedGroup>[]> {
  const inMinutes: TimedBlocks<CountedGroup>[] = []
  const others = await replaceMinutes(parts, buckets, (chunk, { fromUs, whole, part }) => {
    const minutes = minuteChunk(chunk)
    if (minutes === null) return false
    inMinutes.push({ ...part, blocks: [{ fromUs, chunks: [minutes] }], times: whole })
    return true
  })
  // Counted chunks have groups of their own, so they must be in separate parts.
  return [...inMinutes, ...others]
}

function minuteChunk(chunk: EventChunk<CountedGroup>): EventChunk<CountedGroup> | null {
  const existing = counted.get(chunk)
  if (existing !== undefined) return existing
  const isCountable = chunk.count === null && chunk.offsetUs.length >= minEvents
  const minutes = isCountable ? countMinutes(chunk) : null
  counted.set(chunk, minutes)
  return minutes
}

type Minutes = { events: Uint32Array; newestUs: Uint32Array }

function countMinutes(chunk: EventChunk<CountedGroup>): EventChunk<CountedGroup> | null {
  const groups = countedGroups.get(chunk.groups) ?? createGroupList(countedKey)
  countedGroups.set(chunk.groups, groups)
  const minutesOf = new Map<number, Minutes>()
  let start = 0
  for (const [position, index] of chunk.group.entries()) {
    const end = chunk.end[position] ?? start
    const group = chunk.groups[index]
    if (group !== undefined) {
      const { service, release, fingerprint, isError } = group
      const at = groups.indexOf({ service, release, fingerprint, isError })
      const minutes = minutesOf.get(at) ?? {
        events: new Uint32Array(minutesPerGrain),
        newestUs: new Uint32Array(minutesPerGrain),
      }
      minutesOf.set(at, minutes)
      addRun(minutes, chunk.offsetUs, start, end)
    }
    start = end
  }
  return toChunk(groups.list, minutesOf, chunk.offsetUs.length * maxEntriesPerEvent)
}

function addRun({ events, newestUs }: Minutes, offsetsUs: Uint32Array, start: number, end: number): void {
  for (let at = start; at < end; at += 1) {
    const offsetUs = offsetsUs[at] ?? 0
    const minute = Math.floor(offsetUs / minuteUs)
    events[minute] = (events[minute] ?? 0) + 1
    if (offsetUs > (newestUs[minute] ?? 0)) newestUs[minute] = offsetUs
  }
}

function toChunk(
  groups: readonly CountedGroup[],
  minutesOf: ReadonlyMap<number, Minutes>,
  maxEntries: number,
): EventChunk<CountedGroup> | null {
  const [offsetUs, count] = [createGrowingArray(Uint32Array), createGrowingArray(Uint32Array)]
  const ends = Array.from(minutesOf.values(), ({ events, newestUs }) => {
    for (const [minute, inMinute] of events.entries()) {
      if (inMinute === 0) continue
      offsetUs.push(newestUs[minute] ?? 0)
      count.push(inMinute)
    }
    return offsetUs.length()
  })
  const entries = offsetUs.length()
  if (entries > maxEntries) return null
  return {
    groups,
    group: Uint32Array.from(minutesOf.keys()),
    end: Uint32Array.from(ends),
    offsetUs: offsetUs.toArray(),
    bin: new Uint16Array(entries),
    count: count.toArray(),
  }
}

/** The lengths show where each field starts, because names may contain any character. */
export function countedKey({ service, release, fingerprint, isError }: CountedGroup): string {
  const lengths = `${service.length} ${release?.length} ${fingerprint?.length} ${isError}`
  return `${lengths} ${service}${release}${fingerprint}`
}
