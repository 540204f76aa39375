/** A page as it goes out, before it is encoded. */
export type Kept<Value> = {
  get(key: string, make: (signal: AbortSignal) => Promise<Value>, signal: AbortSignal): Promise<Value>
  counts(): KeptCounts
}

export type KeptCounts = { hits: number; misses: number; entries: number }

type Entry<Value> = {
  value: Promise<Value>
  version: number
  atMs: number
  settled: boolean
  /** How many visitors wait for it: the work stops when the last of them has gone. */
  waiting: number
  stop: AbortController
}

/**
 * Lets equal requests share one piece of work, while it is under way and for a moment after. What is kept is
 * given while `version()` stands still and for `keptForMs` at most; beyond `most` entries the oldest goes.
 */
export function createKept<Value>({
  version,
  keptForMs,
  most,
}: {
  version: () => number
  keptForMs: number
  most: number
}): Kept<Value> {
  const entries = new Map<string, Entry<Value>>()
  const counts = { hits: 0, misses: 0 }

  const start = (key: string, make: (signal: AbortSignal) => Promise<Value>): Entry<Value> => {
    const stop = new AbortController()
    const entry: Entry<Value> = {
      // Before the work begins: what changes while it is under way makes it outdated for whoever comes then.
      version: version(),
      value: make(stop.signal),
      atMs: performance.now(),
      settled: false,
      waiting: 0,
      stop,
    }
    entry.value.then(
      () => {
        entry.settled = true
      },
      () => {
        // A failure is never kept: the next visitor tries anew.
        entry.settled = true
        if (entries.get(key) === entry) entries.delete(key)
      },
    )
    entries.delete(key)
    entries.set(key, entry)
    for (const oldest of entries.keys()) {
      if (entries.size <= most) break
      entries.delete(oldest)
    }
    return entry
  }

  return {
    async get(key, make, signal) {
      signal.throwIfAborted()
      let entry = entries.get(key)
      if (entry !== undefined && entry.version === version() && performance.now() - entry.atMs < keptForMs) {
        counts.hits += 1
      } else {
        counts.misses += 1
        entry = start(key, make)
      }
      return await waited(entry, signal, () => {
        if (entries.get(key) === entry) entries.delete(key)
      })
    },
    counts: () => ({ ...counts, entries: entries.size }),
  }
}

/** Waits for an entry until the signal aborts, and stops its work when nobody else waits. */
function waited<Value>(entry: Entry<Value>, signal: AbortSignal, forget: () => void): Promise<Value> {
  if (entry.settled) return entry.value
  entry.waiting += 1
  return new Promise((resolve, reject) => {
    const leave = () => {
      reject(signal.reason)
      entry.waiting -= 1
      if (entry.waiting > 0 || entry.settled) return
      forget()
      entry.stop.abort(signal.reason)
    }
    signal.addEventListener('abort', leave, { once: true })
    entry.value.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}
