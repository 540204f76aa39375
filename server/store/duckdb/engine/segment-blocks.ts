import { LRUCache } from 'lru-cache'
import type { LogEvent } from '../../../../shared/event.ts'
import type { IdRange } from '../../common/accepted-hour.ts'
import {
  addChunk,
  bytesOf,
  type EventBlock,
  type EventChunk,
  entryCount,
} from '../../common/metrics/event-block.ts'
import type { TimesUs } from '../../common/metrics/times.ts'
import { createMutex } from '../../common/mutex.ts'
import { allBlockStarts, averageBlockEvents, blockStarts, eventsOfBlocks, maxBlocks } from './block-query.ts'
import type { ReadResult } from './connections.ts'
import { createEventGroups, type EventGroups } from './event-groups.ts'
import { unpackCounts } from './pack-counts.ts'
import type { EventSubset } from './read-event-blocks.ts'
import { readCountedChunks, readEventChunks } from './read-event-chunks.ts'
import { recentChunks } from './recent-chunks.ts'
import type { RecentEvents } from './recent-events.ts'
import type { Segment } from './segments.ts'
import { readStoredSummary } from './stored-summaries.ts'

/** A subset of a segment's events: the blocks by start time, and the groups in them. */
type Contents = { readonly groups: EventGroups; readonly blocks: Map<number, EventBlock> }

/** Blocks are evicted together with their groups, because a group can take more memory than its events. */
type BlockCache = LRUCache<SegmentBlocks, Contents>

export function createBlockCache(maxBytes: number): BlockCache {
  return new LRUCache<SegmentBlocks, Contents>({
    maxSize: maxBytes,
    sizeCalculation: ({ groups, blocks }) =>
      [...blocks.values()].reduce((sum, block) => sum + bytesOf(block), groups.sizeBytes() + 1),
  })
}

/** The cache that all segments share, and where to find events that are not in it. */
export type BlockSource = {
  cache: BlockCache
  readResult: ReadResult
  recentEvents: Pick<RecentEvents, 'since'>
}

/** The chunks to add to blocks, by the start time of the block. `null` if there are too many groups or counts. */
type Chunks = ReadonlyMap<number, EventChunk> | null

/** Keeps a subset of a segment's events in memory, in blocks. New events of the active segment are added to its blocks. */
export class SegmentBlocks {
  #hasTooManyGroups = false
  /** Maximum number of blocks in one read. Reduced when a read of counted events finds too many counts. */
  #maxMissing = maxBlocks
  /** Blocks contain the events up to this id. */
  #lastId: number
  /** The number of entries in each block, by the start time of the block. */
  #entryCounts = new Map<number, number>()
  readonly #withLock = createMutex()
  readonly #subset: EventSubset
  readonly #source: BlockSource

  /** @param key identifies the segment, its revision and the subset */
  constructor(
    readonly key: string,
    segment: Segment,
    subset: EventSubset,
    source: BlockSource,
  ) {
    this.#lastId = segment.lastId
    this.#subset = subset
    this.#source = source
  }

  /** See `ReadEventBlocks`. */
  read(segment: Segment, times: readonly TimesUs[], maxEvents: number): Promise<EventBlock[] | null> {
    return this.#withLock(async () => {
      const starts = blockStarts(segment, times)
      if (this.#hasTooManyGroups || starts.length > maxBlocks) return null
      if (!this.#subset.isCounted && this.#expectedEvents(segment, starts) > maxEvents) return null
      const { cache } = this.#source
      // The whole read uses these contents, even if they are evicted during the read, because the index of a group may
      // differ in new contents.
      const contents = cache.get(this) ?? { groups: createEventGroups(), blocks: new Map() }
      try {
        return await this.#readContents(contents, segment, starts)
      } finally {
        if (this.#hasTooManyGroups) this.free()
        // Sets a copy, because the cache would not recompute the size of the same object.
        else cache.set(this, { ...contents })
      }
    })
  }

  /** Removes the blocks and groups from memory. */
  free(): void {
    this.#source.cache.delete(this)
  }

  async #readContents(
    contents: Contents,
    segment: Segment,
    starts: readonly number[],
  ): Promise<EventBlock[] | null> {
    const newestId = this.#subset.onlyFailures ? segment.lastFailureId : segment.lastId
    if (newestId > this.#lastId) await this.#extend(contents, segment)
    if (this.#hasTooManyGroups) return null

    const missing = starts.filter(fromUs => !contents.blocks.has(fromUs))
    if (missing.length > this.#maxMissing) return null
    if (missing.length > 0 && !(await this.#load(contents, segment, missing))) return null
    return starts.map(fromUs => contents.blocks.get(fromUs)).filter(block => block !== undefined)
  }

  #expectedEvents(segment: Segment, starts: readonly number[]): number {
    const isPart = this.#subset.onlyFailures || this.#subset.afterId >= 0
    const unknown = isPart ? 0 : averageBlockEvents(segment)
    return starts.reduce((sum, fromUs) => sum + (this.#entryCounts.get(fromUs) ?? unknown), 0)
  }

  /** Adds the newest events to all blocks in memory. */
  async #extend(contents: Contents, segment: Segment): Promise<void> {
    const { blocks } = contents
    const ids = { afterId: this.#lastId, upToId: segment.lastId }
    this.#entryCounts = new Map([...this.#entryCounts].filter(([fromUs]) => blocks.has(fromUs)))
    const chunks = blocks.size === 0 ? null : await this.#newestChunks(contents, segment, ids)
    if (chunks === null) blocks.clear()
    for (const [fromUs, chunk] of chunks ?? []) {
      const block = blocks.get(fromUs)
      if (block !== undefined) this.#store(contents, addChunk(block, chunk))
    }
    this.#lastId = ids.upToId
  }

  async #newestChunks({ groups, blocks }: Contents, segment: Segment, ids: IdRange): Promise<Chunks> {
    const events = this.#source.recentEvents.since(ids.afterId)
    if (events === null) return this.#readChunks(groups, segment, ids, [...blocks.keys()])
    const isIncluded = ({ id, fingerprint }: LogEvent) =>
      id <= ids.upToId && (fingerprint !== null || !this.#subset.onlyFailures)
    const included = events.filter(isIncluded)
    const chunks = recentChunks(included, new Set(blocks.keys()), groups, this.#subset.isCounted)
    this.#hasTooManyGroups ||= groups.hasTooMany()
    return chunks
  }

  /** Reads blocks that are not in memory. Returns whether there are few enough groups and counts. */
  async #load(contents: Contents, segment: Segment, starts: readonly number[]): Promise<boolean> {
    const ids = { afterId: this.#subset.afterId, upToId: this.#lastId }
    const stored = await this.#readStored(contents, segment)
    const chunks = stored ?? (await this.#readChunks(contents.groups, segment, ids, starts))
    if (chunks === null) {
      this.#maxMissing = Math.min(this.#maxMissing, starts.length - 1)
      return false
    }
    for (const fromUs of stored === null ? starts : allBlockStarts(segment)) {
      const chunk = chunks.get(fromUs)
      this.#store(contents, { fromUs, chunks: chunk === undefined ? [] : [chunk] })
    }
    return true
  }

  /** Reads the stored counts of the whole segment, if there are any. */
  async #readStored({ groups }: Contents, segment: Segment): Promise<Chunks> {
    const { afterId, onlyFailures, isCounted } = this.#subset
    const isStored = isCounted && afterId < 0 && !onlyFailures
    // If there are groups, an earlier read has already looked for stored counts.
    if (!isStored || groups.list.length > 0) return null
    const bytes = await readStoredSummary(this.#source.readResult, segment, 'event_counts')
    return bytes === undefined ? null : unpackCounts(bytes, groups)
  }

  async #readChunks(
    groups: EventGroups,
    segment: Segment,
    ids: IdRange,
    starts: readonly number[],
  ): Promise<Chunks> {
    const events = eventsOfBlocks(segment, ids, starts, this.#subset.onlyFailures)
    const { readResult } = this.#source
    const maxEvents = Math.min(segment.events, ids.upToId - ids.afterId)
    const chunks = this.#subset.isCounted
      ? await readCountedChunks(readResult, events, groups)
      : await readEventChunks(readResult, events, maxEvents, groups)
    const hasTooManyCounts = this.#subset.isCounted && !groups.hasTooMany()
    this.#hasTooManyGroups ||= chunks === null && !hasTooManyCounts
    return chunks
  }

  #store({ blocks }: Contents, block: EventBlock): void {
    this.#entryCounts.set(block.fromUs, entryCount(block))
    blocks.set(block.fromUs, block)
  }
}
