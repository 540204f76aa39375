/** Covers at least a minute of peak traffic, and uses about 10 MB. */
export const maxRequestKeys = 50_000

/**
 * Idempotency keys: the newest `maxRequestKeys` stored keys, and those of requests in progress.
 * @param newestFirst the stored keys
 */
export function createRequestKeys(newestFirst: readonly string[]) {
  const stored = new Set(newestFirst.slice(0, maxRequestKeys).reverse())
  const inProgress = new Map<string, Promise<void>>()

  const remember = (key: string) => {
    stored.add(key)
    if (stored.size <= maxRequestKeys) return
    const [oldest] = stored
    if (oldest !== undefined) stored.delete(oldest)
  }
  return {
    /** Runs `work` unless the key is known. If a call with the same key is in progress, settles with that call. */
    async once(key: string, work: () => Promise<void>): Promise<void> {
      if (stored.has(key)) return
      const first = inProgress.get(key)
      if (first !== undefined) return first
      const working = work()
        .then(() => remember(key))
        .finally(() => inProgress.delete(key))
      inProgress.set(key, working)
      return working
    },
  }
}
