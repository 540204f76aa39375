import { LRUCache } from 'lru-cache'
import type { LogEvent } from '../../../../shared/event.ts'
import { createMutex, type Mutex } from '../../common/mutex.ts'
import { join, type Sql, sql } from '../../common/sql.ts'
import { eventsBetween } from '../sql/source.ts'
import type { ReadResult } from './connections.ts'
import {
  addChunk,
  bytesOf,
  type EventBlock,
  type EventChunk,
  type EventSubset,
  eventCount,
  type Groups,
  maxGroups,
  type ReadEventBlocks,
} from './event-block.ts'
import { readEventChunks } from './read-event-chunks.ts'
import { recentChunks } from './recent-chunks.ts'
import type { RecentEvents } from './recent-events.ts'
import { grainUs } from './request-summary.ts'
import type { Segment } from './segments.ts'
import { overlaps, type TimesUs } from './times.ts'

/** Events that are cached in memory, without their text. */
export type EventBlocks = {
  read: ReadEventBlocks
  /** Frees the blocks of deleted segments. */
  prune(segments: readonly Segment[]): void
}

/** Enough for ten million events in few groups. */
const defaultMaxBytes = 100_000_000

/**
 * Reads each event into memory only once, because even a query for few events takes milliseconds. Blocks of the active
 * segment grow with it.
 */
export function createEventBlocks(
  readResult: ReadResult,
  recentEvents: Pick<RecentEvents, 'since'>,
  maxBytes = defaultMaxBytes,
): EventBlocks {
  const cache = new LRUCache<string, EventBlock>({ maxSize: maxBytes, sizeCalculation: bytesOf })
  const states = new Map<string, SegmentState>()

  const stateOf = (segment: Segment, subset: EventSubset): SegmentState => {
    const slot = slotOf(segment, subset)
    const key = `${slot} ${segment.revision} ${subset.afterId}`
    const known = states.get(slot)
    if (known?.key === key) return known
    // Blocks of an earlier revision are never read again, and blocks for another `afterId` rarely are.
    if (known !== undefined) free(known)
    const state = {
      segmentName: segment.name,
      key,
      lastId: segment.lastId,
      eventCounts: new Map<number, number>(),
      groups: { list: [], indexes: new Map() },
      hasTooManyGroups: false,
      withLock: createMutex(),
    }
    states.set(slot, state)
    return state
  }

  const blockKey = ({ key }: SegmentState, fromUs: number) => `${key} ${fromUs}`
  const free = (state: SegmentState) => {
    for (const fromUs of state.eventCounts.keys()) cache.delete(blockKey(state, fromUs))
  }
  const store = (state: SegmentState, block: EventBlock) => {
    state.eventCounts.set(block.fromUs, eventCount(block))
    cache.set(blockKey(state, block.fromUs), block)
    return block
  }

  /** Adds the newest events to all blocks in memory. */
  const extend = async (segment: Segment, state: SegmentState, onlyFailures: boolean): Promise<void> => {
    const ids = { afterId: state.lastId, lastId: segment.lastId }
    state.eventCounts = new Map(
      [...state.eventCounts].filter(([fromUs]) => cache.has(blockKey(state, fromUs))),
    )
    const starts = [...state.eventCounts.keys()]
    const added = await newestChunks({ segment, state, ids, starts, onlyFailures })
    for (const [fromUs, chunk] of added ?? []) {
      const block = cache.get(blockKey(state, fromUs))
      if (block !== undefined) store(state, addChunk(block, chunk))
    }
    state.lastId = ids.lastId
  }

  const newestChunks = async (needed: NeededEvents): Promise<ReadonlyMap<number, EventChunk> | null> => {
    const { state, ids, starts, onlyFailures } = needed
    if (starts.length === 0) return null
    const events = recentEvents.since(ids.afterId)
    if (events === null) return readChunks(needed)
    const isIncluded = ({ id, fingerprint }: LogEvent) =>
      id <= ids.lastId && (fingerprint !== null || !onlyFailures)
    const chunks = recentChunks(events.filter(isIncluded), new Set(starts), state.groups)
    state.hasTooManyGroups ||= state.groups.list.length > maxGroups
    return chunks
  }

  const readChunks = async ({
    segment,
    state,
    ids,
    starts,
    onlyFailures,
  }: NeededEvents): Promise<ReadonlyMap<number, EventChunk> | null> => {
    const maxEvents = Math.min(segment.events, ids.lastId - ids.afterId)
    const chunks = await readEventChunks(
      readResult,
      eventsOfBlocks(segment, ids, starts, onlyFailures),
      maxEvents,
      state.groups,
    )
    state.hasTooManyGroups ||= chunks === null
    return chunks
  }

  return {
    read(segment, times, { afterId, onlyFailures }, maxEvents) {
      const state = stateOf(segment, { afterId, onlyFailures })
      return state.withLock(async () => {
        const starts = blocksDuring(segment, times)
        const isPart = onlyFailures || afterId >= 0
        const blockEvents = isPart ? 0 : averageEvents(segment)
        const events = starts.reduce((sum, fromUs) => sum + (state.eventCounts.get(fromUs) ?? blockEvents), 0)
        if (state.hasTooManyGroups || starts.length > maxBlocks || events > maxEvents) return null
        const newestId = onlyFailures ? segment.lastFailureId : segment.lastId
        if (newestId > state.lastId) await extend(segment, state, onlyFailures)
        if (state.hasTooManyGroups) return null

        const cached = starts
          .map(fromUs => cache.get(blockKey(state, fromUs)))
          .filter(block => block !== undefined)
        const inMemory = new Set(cached.map(({ fromUs }) => fromUs))
        const missing = starts.filter(fromUs => !inMemory.has(fromUs))
        if (missing.length === 0) return cached
        const ids = { afterId, lastId: state.lastId }
        const chunks = await readChunks({ segment, state, ids, starts: missing, onlyFailures })
        if (chunks === null) return null
        const added = missing.map(fromUs => {
          const chunk = chunks.get(fromUs)
          return store(state, { fromUs, chunks: chunk === undefined ? [] : [chunk] })
        })
        return [...cached, ...added]
      })
    },
    prune(segments) {
      const current = new Set(segments.map(({ name }) => name))
      for (const [slot, state] of states) {
        if (current.has(state.segmentName)) continue
        states.delete(slot)
        free(state)
      }
    },
  }
}

/** Which events of a segment to add to the blocks that start at `starts`. */
type NeededEvents = {
  segment: Segment
  state: SegmentState
  ids: { afterId: number; lastId: number }
  starts: readonly number[]
  onlyFailures: boolean
}

type SegmentState = {
  readonly segmentName: string
  /** Changes when stored events change. */
  readonly key: string
  /** Blocks contain the events up to this id. */
  lastId: number
  /** The number of events in each block. */
  eventCounts: Map<number, number>
  /** The groups in all blocks. */
  readonly groups: Groups
  /** Whether the events have too many groups. */
  hasTooManyGroups: boolean
  readonly withLock: Mutex
}

/** Identifies the kind of events. Each segment has at most one state per kind. */
function slotOf({ name }: Segment, { afterId, onlyFailures }: EventSubset): string {
  if (onlyFailures) return `${name} failures`
  return afterId < 0 ? `${name} all` : `${name} newest`
}

/** A month. A segment can span decades if a clock is wrong. */
const maxBlocks = 1500

/** The start time of each block that the segment may have in these time ranges. Stops after `maxBlocks`. */
function blocksDuring(segment: Segment, times: readonly TimesUs[]): number[] {
  const starts = new Set<number>()
  for (const range of times.filter(range => overlaps(segment, range))) {
    const toUs = Math.min(range.toUs, segment.toUs + 1)
    const firstUs = Math.floor(Math.max(range.fromUs, segment.fromUs) / grainUs) * grainUs
    for (let fromUs = firstUs; fromUs < toUs && starts.size <= maxBlocks; fromUs += grainUs)
      starts.add(fromUs)
  }
  return [...starts]
}

/** The number of events per block, assuming an even distribution. */
function averageEvents({ events, fromUs, toUs }: Segment): number {
  return events * Math.min(grainUs / (toUs - fromUs + 1), 1)
}

/** Merges the time ranges of adjacent blocks. */
function blockTimes(starts: readonly number[]): TimesUs[] {
  const times: TimesUs[] = []
  for (const fromUs of starts.toSorted((a, b) => a - b)) {
    const last = times.at(-1)
    if (last?.toUs === fromUs) last.toUs += grainUs
    else times.push({ fromUs, toUs: fromUs + grainUs })
  }
  return times
}

function eventsOfBlocks(
  segment: Segment,
  { afterId, lastId }: { afterId: number; lastId: number },
  starts: readonly number[],
  onlyFailures: boolean,
): Sql {
  const times = blockTimes(starts).map(
    ({ fromUs, toUs }) => sql`(time_us >= ${fromUs} AND time_us < ${toUs})`,
  )
  const isIncluded = onlyFailures ? sql`fingerprint IS NOT NULL` : sql`true`
  return sql`(FROM ${eventsBetween(segment, afterId, lastId)} WHERE (${join(times, ' OR ')}) AND ${isIncluded})`
}
