import type { LRUCache } from 'lru-cache'
import type { LogEvent } from '../../../../shared/event.ts'
import type { IdRange } from '../../common/accepted-hour.ts'
import { createMutex } from '../../common/mutex.ts'
import { averageBlockEvents, blockStarts, eventsOfBlocks, maxBlocks } from './block-query.ts'
import type { ReadResult } from './connections.ts'
import {
  addChunk,
  type EventBlock,
  type EventChunk,
  type EventSubset,
  entryCount,
  type Groups,
  maxGroups,
} from './event-block.ts'
import { readCountedChunks, readEventChunks } from './read-event-chunks.ts'
import { recentChunks } from './recent-chunks.ts'
import type { RecentEvents } from './recent-events.ts'
import type { Segment } from './segments.ts'
import type { TimesUs } from './times.ts'

/** The cache that all segments share, and where to find events that are not in it. */
export type BlockSource = {
  cache: LRUCache<string, EventBlock>
  readResult: ReadResult
  recentEvents: Pick<RecentEvents, 'since'>
}

/** The chunks to add to blocks, by the start of the block. `null` if there are none, or too many groups or counts. */
type Chunks = ReadonlyMap<number, EventChunk> | null

/** Distinguishes blocks that were freed while they were read from later blocks with the same `key`. */
let created = 0

/** Keeps a subset of a segment's events in memory, in blocks. New events of the active segment are added to its blocks. */
export class SegmentBlocks {
  /** The groups in all blocks. */
  readonly #groups: Groups = { list: [], indexes: new Map() }
  /** Whether the events have too many groups. */
  #hasTooManyGroups = false
  /** Maximum number of blocks in one read. Reduced when a read of counted events finds too many counts. */
  #maxMissing = maxBlocks
  /** Blocks contain the events up to this id. */
  #lastId: number
  /** The number of entries in each block, by its start. */
  #entryCounts = new Map<number, number>()
  readonly #withLock = createMutex()
  readonly #id = created++
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
      const newestId = this.#subset.onlyFailures ? segment.lastFailureId : segment.lastId
      if (newestId > this.#lastId) await this.#extend(segment)
      if (this.#hasTooManyGroups) return null

      const cached = starts.map(fromUs => this.#cached(fromUs)).filter(block => block !== undefined)
      const inMemory = new Set(cached.map(({ fromUs }) => fromUs))
      const missing = starts.filter(fromUs => !inMemory.has(fromUs))
      if (missing.length === 0) return cached
      if (missing.length > this.#maxMissing) return null
      const added = await this.#load(segment, missing)
      return added && [...cached, ...added]
    })
  }

  /** Removes the blocks from memory. */
  free(): void {
    for (const fromUs of this.#entryCounts.keys()) this.#source.cache.delete(this.#cacheKey(fromUs))
  }

  #expectedEvents(segment: Segment, starts: readonly number[]): number {
    const isPart = this.#subset.onlyFailures || this.#subset.afterId >= 0
    const unknown = isPart ? 0 : averageBlockEvents(segment)
    return starts.reduce((sum, fromUs) => sum + (this.#entryCounts.get(fromUs) ?? unknown), 0)
  }

  /** Adds the newest events to all blocks in memory. */
  async #extend(segment: Segment): Promise<void> {
    const ids = { afterId: this.#lastId, upToId: segment.lastId }
    const inMemory = [...this.#entryCounts].filter(([fromUs]) =>
      this.#source.cache.has(this.#cacheKey(fromUs)),
    )
    this.#entryCounts = new Map(inMemory)
    const starts = [...this.#entryCounts.keys()]
    const chunks = starts.length === 0 ? null : await this.#newestChunks(segment, ids, starts)
    if (starts.length > 0 && chunks === null) this.free()
    for (const [fromUs, chunk] of chunks ?? []) {
      const block = this.#cached(fromUs)
      if (block !== undefined) this.#store(addChunk(block, chunk))
    }
    this.#lastId = ids.upToId
  }

  async #newestChunks(segment: Segment, ids: IdRange, starts: readonly number[]): Promise<Chunks> {
    const events = this.#source.recentEvents.since(ids.afterId)
    if (events === null) return this.#readChunks(segment, ids, starts)
    const isIncluded = ({ id, fingerprint }: LogEvent) =>
      id <= ids.upToId && (fingerprint !== null || !this.#subset.onlyFailures)
    const included = events.filter(isIncluded)
    const chunks = recentChunks(included, new Set(starts), this.#groups, this.#subset.isCounted)
    this.#hasTooManyGroups ||= this.#groups.list.length > maxGroups
    return chunks
  }

  /** Reads blocks that are not in memory. */
  async #load(segment: Segment, starts: readonly number[]): Promise<EventBlock[] | null> {
    const ids = { afterId: this.#subset.afterId, upToId: this.#lastId }
    const chunks = await this.#readChunks(segment, ids, starts)
    if (chunks === null) {
      this.#maxMissing = Math.min(this.#maxMissing, starts.length - 1)
      return null
    }
    return starts.map(fromUs => {
      const chunk = chunks.get(fromUs)
      return this.#store({ fromUs, chunks: chunk === undefined ? [] : [chunk] })
    })
  }

  async #readChunks(segment: Segment, ids: IdRange, starts: readonly number[]): Promise<Chunks> {
    const events = eventsOfBlocks(segment, ids, starts, this.#subset.onlyFailures)
    const { readResult } = this.#source
    const maxEvents = Math.min(segment.events, ids.upToId - ids.afterId)
    const chunks = this.#subset.isCounted
      ? await readCountedChunks(readResult, events, this.#groups)
      : await readEventChunks(readResult, events, maxEvents, this.#groups)
    const hasTooManyCounts = this.#subset.isCounted && this.#groups.list.length <= maxGroups
    this.#hasTooManyGroups ||= chunks === null && !hasTooManyCounts
    return chunks
  }

  #cached(fromUs: number): EventBlock | undefined {
    return this.#source.cache.get(this.#cacheKey(fromUs))
  }

  #store(block: EventBlock): EventBlock {
    this.#entryCounts.set(block.fromUs, entryCount(block))
    this.#source.cache.set(this.#cacheKey(block.fromUs), block)
    return block
  }

  #cacheKey(fromUs: number): string {
    return `${this.#id} ${fromUs}`
  }
}
