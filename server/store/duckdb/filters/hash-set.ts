import { createTimeSlice } from '../../../time-slice.ts'

/** All hashes are below this number. */
export const hashLimit = 2 ** 22

/** A set of hashes that may have false positives. `null` means that the set may contain any hash. */
export type HashFilter = Uint8Array | null

/** Collects hashes for a filter. */
export type HashSet = {
  add(hash: number): void
  /** Returns a filter with this share of set bits, or `null` if it would need more than `maxBytes`. */
  toFilter(size: { share: number; maxBytes: number }): Promise<HashFilter>
}

export function createHashSet(): HashSet {
  const seen = new Uint32Array(hashLimit / 32)
  let count = 0
  return {
    add(hash) {
      const bit = 1 << (hash & 31)
      const word = seen[hash >>> 5] ?? 0
      if ((word & bit) !== 0) return
      seen[hash >>> 5] = word | bit
      count += 1
    },
    async toFilter({ share, maxBytes }) {
      const bytes = Math.max(1, Math.ceil(count / -Math.log(1 - share) / 8))
      return bytes > maxBytes ? null : filterOf(seen, bytes)
    },
  }
}

/** How many 32-bit words to copy before checking the time. */
const wordsPerCheck = 4096

async function filterOf(seen: Uint32Array, bytes: number): Promise<Uint8Array> {
  const filter = new Uint8Array(bytes)
  const slice = createTimeSlice()
  for (let index = 0; index < seen.length; index += 1) {
    if (index % wordsPerCheck === 0 && slice.isUsedUp()) await slice.yieldToOthers()
    for (let rest = seen[index] ?? 0; rest !== 0; rest &= rest - 1) {
      const lowestBit = 31 - Math.clz32(rest & -rest)
      const place = (index * 32 + lowestBit) % (bytes * 8)
      filter[place >>> 3] = (filter[place >>> 3] ?? 0) | (1 << (place & 7))
    }
  }
  return filter
}

/** Returns false only if the set did not contain the hash. */
export function mayContain(filter: HashFilter, hash: number): boolean {
  if (filter === null) return true
  const place = hash % (filter.length * 8)
  return ((filter[place >>> 3] ?? 0) & (1 << (place & 7))) !== 0
}
