/** How many keys of requests are known: what a minute or more of the busiest traffic brings, in some 10 MB. */
export const mostKeys = 50_000

/** The newest keys of requests whose events are kept, and those whose events are on their way. */
export function createKnownKeys(newestFirst: readonly string[]) {
  const kept = new Set(newestFirst.slice(0, mostKeys).reverse())
  const underWay = new Map<string, Promise<void>>()

  const remember = (key: string) => {
    kept.add(key)
    if (kept.size <= mostKeys) return
    const [oldest] = kept
    if (oldest !== undefined) kept.delete(oldest)
  }
  return {
    /** Does the work of a key once: for one that is kept or under way nothing is done anew. */
    async once(key: string, work: () => Promise<void>): Promise<void> {
      if (kept.has(key)) return
      const first = underWay.get(key)
      if (first !== undefined) return first
      const working = work()
        .then(() => remember(key))
        .finally(() => underWay.delete(key))
      underWay.set(key, working)
      return working
    },
  }
}
