import { sentDigest } from './request-context.ts'

let received: string | null = null
const listeners = new Set<() => void>()

// Observes resource timing as soon as this module is loaded, because browsers buffer only a limited number of entries, and may
// add the entry of a response after the application has read the response.
if (isBrowser() && 'PerformanceObserver' in globalThis) {
  addDigests(performance.getEntriesByType('navigation'))
  new PerformanceObserver(list => addDigests(list.getEntries())).observe({ type: 'resource', buffered: true })
}

/**
 * In the browser, returns the digest of the newest response that contains one; on a server, the digest of the current
 * request.
 */
export function receivedDigest(): string | null {
  return isBrowser() ? received : sentDigest()
}

/** Calls `listener` when a response with a digest arrives. Returns a function that removes the listener. */
export function onReceivedDigest(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** https://www.w3.org/TR/server-timing/#the-performanceservertiming-interface */
function addDigests(entries: PerformanceEntryList): void {
  for (const entry of entries) {
    // Firefox has no `serverTiming` on pages without HTTPS.
    const timings =
      entry instanceof PerformanceResourceTiming && 'serverTiming' in entry ? entry.serverTiming : []
    const digest = timings.find(({ name }) => name === 'digest')?.description
    if (digest === undefined) continue
    received = digest
    for (const listener of listeners) listener()
  }
}

function isBrowser(): boolean {
  return typeof document !== 'undefined'
}
