export type ResponseCache<Request, Response> = {
  /**
   * Returns the cached response, waits for the one that is being produced, or produces a new one.
   * @param key identical requests have the same key
   * @param read returns the request; called only if no cached response is ready
   * @throws the error that the work throws, or the reason of the request's signal
   */
  get(key: string, read: () => Request): Promise<Response>
  sizeEntries(): number
}

type Entry<Response> = {
  response: Promise<Response>
  /** `null` until the work starts. */
  version: number | null
  /** `null` while the work is in progress. */
  readyMs: number | null
  waiters: number
  work: AbortController
  /** The running entry that this entry waits for; `null` once the work starts. */
  outdated: Entry<Response> | null
}

/**
 * Identical requests share one response while it is being produced and for `maxAgeMs` afterwards, unless `version()`
 * changes. If it changes during the work, later requests share the next response. The work for that response starts only
 * after the current work, because frequent changes would otherwise start the same work repeatedly. If there are more than
 * `maxEntries` entries, the oldest one is evicted.
 */
export function createResponseCache<Request extends { signal: AbortSignal }, Response>({
  respond,
  version,
  maxAgeMs,
  maxEntries,
  nowMs = () => performance.now(),
}: {
  respond: (request: Request, signal: AbortSignal) => Promise<Response>
  version: () => number
  maxAgeMs: number
  maxEntries: number
  nowMs?: () => number
}): ResponseCache<Request, Response> {
  const entries = new Map<string, Entry<Response>>()

  const drop = (key: string, entry: Entry<Response>) => {
    if (entries.get(key) !== entry) return
    // The next request must wait for the running entry too.
    if (entry.outdated === null) entries.delete(key)
    else entries.set(key, entry.outdated)
  }

  const isFresh = (entry: Entry<Response>) =>
    (entry.version === null || entry.version === version()) &&
    (entry.readyMs === null || nowMs() - entry.readyMs < maxAgeMs)

  const start = (key: string, request: Request, outdated: Entry<Response> | undefined): Entry<Response> => {
    const work = new AbortController()
    const running = outdated?.readyMs === null ? outdated : null
    const runAfter = async (response: Promise<Response>) => {
      await response.catch(() => {})
      entry.outdated = null
      work.signal.throwIfAborted()
      entry.version = version()
      return respond(request, work.signal)
    }
    const entry: Entry<Response> = {
      // Read before the work starts, so that a change during the work makes the response stale.
      version: running === null ? version() : null,
      response: running === null ? respond(request, work.signal) : runAfter(running.response),
      readyMs: null,
      waiters: 0,
      work,
      outdated: running,
    }
    entry.response.then(
      () => {
        entry.readyMs = nowMs()
      },
      // Failures are not cached: the next request retries.
      () => drop(key, entry),
    )
    entries.delete(key)
    entries.set(key, entry)
    for (const oldest of entries.keys()) {
      if (entries.size <= maxEntries) break
      entries.delete(oldest)
    }
    return entry
  }

  return {
    async get(key, read) {
      const cached = entries.get(key)
      const fresh = cached !== undefined && isFresh(cached) ? cached : null
      if (fresh !== null && fresh.readyMs !== null) return fresh.response
      const request = read()
      request.signal.throwIfAborted()
      const entry = fresh ?? start(key, request, cached)
      return await waitFor(entry, request.signal, () => drop(key, entry))
    },
    sizeEntries: () => entries.size,
  }
}

/** Waits for the response until the signal aborts. Aborts the work when no request is waiting for it. */
function waitFor<Response>(entry: Entry<Response>, signal: AbortSignal, drop: () => void): Promise<Response> {
  if (entry.readyMs !== null) return entry.response
  entry.waiters += 1
  return new Promise((resolve, reject) => {
    const leave = () => {
      reject(signal.reason)
      entry.waiters -= 1
      if (entry.waiters > 0 || entry.readyMs !== null) return
      drop()
      entry.work.abort(signal.reason)
    }
    signal.addEventListener('abort', leave, { once: true })
    entry.response.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}
