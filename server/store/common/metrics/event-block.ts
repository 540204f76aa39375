import type { Severity } from '../../../../shared/severity.ts'
import { createGrowingArray } from './growing-array.ts'

/** The fields by which events are grouped in memory. */
export type EventGroup = {
  severity: Severity
  service: string
  release: string | null
  source: string
  method: string | null
  route: string | null
  status: number | null
  fingerprint: string | null
  /** Whether the events are requests: events with a status and a duration. */
  isRequest: boolean
  /** Whether the events are requests with status 500 or above. */
  isError: boolean
}

/**
 * Times and durations of events, six bytes per event. Events of the same group are adjacent. Visiting arrays of numbers is
 * several times faster than visiting objects. In a counted chunk, an entry represents several events of the group, usually
 * all of them.
 */
export type EventChunk<Group = EventGroup> = {
  /** All groups of the blocks that are read together, by index. */
  readonly groups: readonly Group[]
  /** The index of each group in this chunk. */
  readonly group: Uint32Array
  /** The offset at which each group's entries end. */
  readonly end: Uint32Array
  /** The time of an event, or of the newest event of an entry, in microseconds since the start of the block. */
  readonly offsetUs: Uint32Array
  /** The bin of a request's duration (`duration-bins.ts`). 0 for other events, and in a counted chunk. */
  readonly bin: Uint16Array
  /** The number of events that each entry represents. `null` if each entry is one event. */
  readonly count: Uint32Array | null
}

/** Events in the period of `grainUs` that starts at `fromUs`. */
export type EventBlock<Group = EventGroup> = {
  readonly fromUs: number
  readonly chunks: readonly EventChunk<Group>[]
}

/** The approximate memory usage of the objects that represent a block and a chunk, without their contents. */
const blockBytes = 200
const chunkBytes = 1000

/** The approximate memory usage of a block, without its groups. */
export function bytesOf({ chunks }: EventBlock<unknown>): number {
  return chunks.reduce(
    (sum, { group, end, offsetUs, bin, count }) =>
      sum +
      chunkBytes +
      group.byteLength +
      end.byteLength +
      offsetUs.byteLength +
      bin.byteLength +
      (count?.byteLength ?? 0),
    blockBytes,
  )
}

/** The number of entries in a block. */
export function entryCount({ chunks }: EventBlock<unknown>): number {
  return chunks.reduce((sum, { offsetUs }) => sum + offsetUs.length, 0)
}

/** Collects the events of a block, group by group. */
export function createChunkWriter<Group>(groups: readonly Group[]) {
  const group = createGrowingArray(Uint32Array)
  const end = createGrowingArray(Uint32Array)
  const offsetUs = createGrowingArray(Uint32Array)
  const bin = createGrowingArray(Uint16Array)
  return {
    addEvent(eventOffsetUs: number, eventBin: number) {
      offsetUs.push(eventOffsetUs)
      bin.push(eventBin)
    },
    /** Ends a group, which contains all events that were added since the previous group ended. */
    endGroup(index: number) {
      group.push(index)
      end.push(offsetUs.length())
    },
    finish: (): EventChunk<Group> => ({
      groups,
      group: group.toArray(),
      end: end.toArray(),
      offsetUs: offsetUs.toArray(),
      bin: bin.toArray(),
      count: null,
    }),
  }
}

/** Counts the events of a block by group. */
export function createCountWriter<Group>(groups: readonly Group[]) {
  const counts = new Map<number, { newestUs: number; count: number }>()
  return {
    /** @param newestOffsetUs the time of the newest of these events */
    add(group: number, newestOffsetUs: number, count: number) {
      const existing = counts.get(group)
      if (existing === undefined) counts.set(group, { newestUs: newestOffsetUs, count })
      else {
        existing.newestUs = Math.max(existing.newestUs, newestOffsetUs)
        existing.count += count
      }
    },
    finish(): EventChunk<Group> {
      const entries = [...counts.values()]
      return {
        groups,
        group: Uint32Array.from(counts.keys()),
        end: Uint32Array.from(entries, (_, index) => index + 1),
        offsetUs: Uint32Array.from(entries, ({ newestUs }) => newestUs),
        bin: new Uint16Array(entries.length),
        count: Uint32Array.from(entries, ({ count }) => count),
      }
    },
  }
}

/** Adds a chunk. Merges only chunks of similar size, so that a block has few chunks and events are rarely copied. */
export function addChunk<Group>(block: EventBlock<Group>, chunk: EventChunk<Group>): EventBlock<Group> {
  const chunks = [...block.chunks]
  let added = chunk
  for (let last = chunks.at(-1); last !== undefined; last = chunks.at(-1)) {
    if (last.offsetUs.length > 2 * added.offsetUs.length) break
    added = merge(last, added)
    chunks.pop()
  }
  return { ...block, chunks: [...chunks, added] }
}

function merge<Group>(a: EventChunk<Group>, b: EventChunk<Group>): EventChunk<Group> {
  return b.count === null ? mergeEvents(a, b) : mergeCounts(a, b)
}

function mergeCounts<Group>(...chunks: [EventChunk<Group>, EventChunk<Group>]): EventChunk<Group> {
  const writer = createCountWriter(chunks[0].groups)
  for (const { group, offsetUs, count } of chunks) {
    for (const [index, ofGroup] of group.entries())
      writer.add(ofGroup, offsetUs[index] ?? 0, count?.[index] ?? 0)
  }
  return writer.finish()
}

function mergeEvents<Group>(a: EventChunk<Group>, b: EventChunk<Group>): EventChunk<Group> {
  const writer = createChunkWriter(b.groups)
  const merged = new Map<number, Range<Group>[]>()
  for (const range of [...rangesOf(a), ...rangesOf(b)]) {
    const ranges = merged.get(range.group)
    if (ranges === undefined) merged.set(range.group, [range])
    else ranges.push(range)
  }
  for (const [group, ranges] of merged) {
    for (const { chunk, start, end } of ranges) {
      for (let at = start; at < end; at += 1) writer.addEvent(chunk.offsetUs[at] ?? 0, chunk.bin[at] ?? 0)
    }
    writer.endGroup(group)
  }
  return writer.finish()
}

type Range<Group> = { chunk: EventChunk<Group>; group: number; start: number; end: number }

function rangesOf<Group>(chunk: EventChunk<Group>): Range<Group>[] {
  return Array.from(chunk.group, (group, index) => ({
    chunk,
    group,
    start: chunk.end[index - 1] ?? 0,
    end: chunk.end[index] ?? 0,
  }))
}
