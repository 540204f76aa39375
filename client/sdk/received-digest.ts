import { sentDigest } from './request-context.ts'

let received: string | null = null
const listeners = new Set<() => void>()

// Listens from the start, because the list of a page's resources is limited, and an entry is added after its response is used.
if (isBrowser() && 'PerformanceObserver' in globalThis) {
  addDigests(performance.getEntriesByType('navigation'))
  new PerformanceObserver(list => addDigests(list.getEntries())).observe({ type: 'resource', buffered: true })
}

/** Returns the digest of the newest response that contains one, in the browser, or of the current request on a server. */
export function receivedDigest(): string | null {
  return isBrowser() ? received : sentDigest()
}

/** Calls a function when a response with a digest arrives. Returns a function that stops it. */
export function onReceivedDigest(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** https://www.w3.org/TR/server-timing/#the-performanceservertiming-interface */
function addDigests(entries: PerformanceEntryList): void {
  for (const entry of entries) {
    const timings = entry instanceof PerformanceResourceTiming ? entry.serverTiming : []
    const digest = timings.find(({ name }) => name === 'digest')?.description
    if (digest === undefined) continue
    received = digest
    for (const listener of listeners) listener()
  }
}

function isBrowser(): boolean {
  return typeof document !== 'undefined'
}
