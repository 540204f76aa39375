export type ByteCache<Kept> = {
  /** What is kept under a key; loaded where it is not, once for all who ask meanwhile. */
  get(key: string, load: () => Promise<Kept>): Promise<Kept>
  figures(): { hits: number; misses: number; bytes: number }
}

/** Keeps what was used last, as much of it as the limit holds, and the newest in any case. What fails to load is not kept. */
export function createByteCache<Kept>(sizeOf: (kept: Kept) => number, limitBytes: number): ByteCache<Kept> {
  // In the order of their use.
  const entries = new Map<string, { loading: Promise<Kept>; bytes: number }>()
  let bytes = 0
  let hits = 0
  let misses = 0

  const drop = (key: string) => {
    bytes -= entries.get(key)?.bytes ?? 0
    entries.delete(key)
  }
  const weigh = (key: string, kept: Kept) => {
    const entry = entries.get(key)
    if (entry === undefined) return
    bytes -= entry.bytes
    entry.bytes = sizeOf(kept)
    bytes += entry.bytes
    for (const [oldest] of entries) {
      if (bytes <= limitBytes || entries.size === 1) break
      drop(oldest)
    }
  }
  return {
    async get(key, load) {
      const found = entries.get(key)
      if (found !== undefined) {
        hits += 1
        entries.delete(key)
        entries.set(key, found)
        return found.loading
      }
      misses += 1
      const loading = load()
      entries.set(key, { loading, bytes: 0 })
      try {
        const kept = await loading
        weigh(key, kept)
        return kept
      } catch (error) {
        drop(key)
        throw error
      }
    },
    figures: () => ({ hits, misses, bytes }),
  }
}
