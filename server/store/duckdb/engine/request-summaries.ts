import { LRUCache } from 'lru-cache'
import { createMutex, type Mutex } from '../../common/mutex.ts'
import type { ReadResult } from './connections.ts'
import { bytesOf, emptyPart, extendPart, type RequestPart } from './request-part.ts'
import type { RequestSummary } from './request-summary.ts'
import type { Segment } from './segments.ts'
import { partKey } from './summaries.ts'

/** Request summaries of segments: see `Source.requestSummaries`. */
export type RequestSummaries = {
  /**
   * Omits segments that have too many services, and segments whose summaries do not fit into memory.
   * @param active the active segment
   */
  read(segments: readonly Segment[], active: Segment, signal?: AbortSignal): Promise<RequestSummary[]>
  /** Frees the summaries of segments that were deleted or changed. */
  prune(segments: readonly Segment[]): void
}

/** Limit on unsummarised events that a query reads from the active segment. */
const maxUnsummarised = 10_000

/** Enough for thirty million requests if there are a million per day. */
const defaultMaxBytes = 150_000_000

/**
 * Counts the requests of each segment once, in memory. The counts are arrays in this process instead of tables in the
 * engine, because this process adds up a million counts in a few milliseconds.
 */
export function createRequestSummaries(readResult: ReadResult, maxBytes = defaultMaxBytes): RequestSummaries {
  const cache = new LRUCache<string, RequestPart>({ maxSize: maxBytes, sizeCalculation: bytesOf })
  const states = new Map<string, PartState>()

  /** Returns `null` if the part needs more memory than `maxPartBytes`. */
  const partOf = async (segment: Segment, isActive: boolean, maxPartBytes: number) => {
    const key = partKey(segment, isActive)
    const state = states.get(key) ?? { bytes: 0, withLock: createMutex() }
    states.set(key, state)
    return state.withLock(async () => {
      if (state.bytes > maxPartBytes) return null
      let part = cache.get(key) ?? emptyPart
      if (isActive ? segment.events - part.events >= maxUnsummarised : segment.lastId > part.lastId) {
        part = await extendPart(readResult, part, segment)
        state.bytes = bytesOf(part)
        // A larger part would evict a part that the same query needs.
        if (state.bytes <= maxPartBytes) cache.set(key, part)
      }
      return state.bytes > maxPartBytes ? null : part
    })
  }

  return {
    async read(segments, active, signal) {
      const summaries: RequestSummary[] = []
      let bytes = 0
      for (const segment of segments) {
        signal?.throwIfAborted()
        const part = await partOf(segment, segment === active, maxBytes - bytes)
        if (part === null) continue
        bytes += bytesOf(part)
        const { grouping, lastId, cells } = part
        if (grouping !== null) summaries.push({ segment, lastId, hasRoutes: grouping === 'route', cells })
      }
      return summaries
    },
    prune(segments) {
      const current = new Set(segments.map(segment => partKey(segment, segment === segments.at(-1))))
      for (const key of [...states.keys(), ...cache.keys()].filter(key => !current.has(key))) {
        states.delete(key)
        cache.delete(key)
      }
    },
  }
}

/** `bytes` remains set after a part is evicted, so that a part that does not fit is not computed again. */
type PartState = { bytes: number; withLock: Mutex }
