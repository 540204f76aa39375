import pLimit, { type LimitFunction } from 'p-limit'
import { createMemoryBudget, type MemoryBudget } from './memory-budget.ts'

/** The limit for all bodies with events in memory, after decompression. */
const maxBodyBytes = 64_000_000
/** The limit for uploads: a source map of the maximum size, and the two requests with parts of a bundle that run at a time. */
const maxUploadBytes = 100_000_000
/** The limit for the estimated size of all decoded events that are not yet stored. */
const maxEventBytes = 256_000_000
/** The number of large bodies that may be decoded concurrently. */
const maxLargeDecodings = 2

/** The limits that all requests share. */
export type RequestMemory = {
  bodies: MemoryBudget
  /** Separate, so that an upload whose body stalls does not block events. */
  uploads: MemoryBudget
  events: MemoryBudget
  /** Limits how many large bodies are decoded concurrently, because decoding may need a lot of memory. */
  decodeLarge: LimitFunction
}

export function createRequestMemory(
  limits: { bodyBytes?: number; uploadBytes?: number; eventBytes?: number } = {},
): RequestMemory {
  return {
    bodies: createMemoryBudget(limits.bodyBytes ?? maxBodyBytes),
    uploads: createMemoryBudget(limits.uploadBytes ?? maxUploadBytes),
    events: createMemoryBudget(limits.eventBytes ?? maxEventBytes),
    decodeLarge: pLimit(maxLargeDecodings),
  }
}
