import pLimit, { type LimitFunction } from 'p-limit'
import { createMemoryBudget, type MemoryBudget } from './memory-budget.ts'

/** The limit for all request bodies in memory, after decompression. */
const maxBodyBytes = 64_000_000
/** The limit for the estimated size of all decoded events that are not yet stored. */
const maxEventBytes = 256_000_000
/** The number of large bodies that may be decoded concurrently. */
const maxLargeDecodings = 2

/** The limits that all requests share. */
export type RequestMemory = {
  bodies: MemoryBudget
  events: MemoryBudget
  /** Limits how many large bodies are decoded concurrently, because decoding may need a lot of memory. */
  decodeLarge: LimitFunction
}

export function createRequestMemory(limits: { bodyBytes?: number; eventBytes?: number } = {}): RequestMemory {
  return {
    bodies: createMemoryBudget(limits.bodyBytes ?? maxBodyBytes),
    events: createMemoryBudget(limits.eventBytes ?? maxEventBytes),
    decodeLarge: pLimit(maxLargeDecodings),
  }
}
