import pLimit, { type LimitFunction } from 'p-limit'
import { createMemoryBudget, type MemoryBudget } from './memory-budget.ts'

/** All request bodies in memory, after decompression. */
export const maxBodyBytes = 64_000_000
/** All events that requests have decoded but not yet stored, by estimated size in memory. */
export const maxEventBytes = 256_000_000
/** Large bodies are decoded by this many requests at once. */
const maxLargeDecodings = 2

/** The memory and decoding that all requests share. */
export type RequestMemory = {
  bodies: MemoryBudget
  events: MemoryBudget
  /** Runs the decoding of a large body. Others wait, because each may take much memory. */
  decodeLarge: LimitFunction
}

export function createRequestMemory(limits: { bodyBytes?: number; eventBytes?: number } = {}): RequestMemory {
  return {
    bodies: createMemoryBudget(limits.bodyBytes ?? maxBodyBytes),
    events: createMemoryBudget(limits.eventBytes ?? maxEventBytes),
    decodeLarge: pLimit(maxLargeDecodings),
  }
}
