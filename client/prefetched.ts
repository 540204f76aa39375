import type { Page } from '../shared/page.ts'

type LoadingPage = Promise<Page | null>

const lifetimeMs = 5_000

/** Pages that were requested before the visitor clicked a link, by URL. */
const prefetched = new Map<string, { page: LoadingPage; startedMs: number }>()

export function isPrefetched(href: string): boolean {
  return prefetched.has(href)
}

/** Makes a page available to the next navigation to this URL within five seconds. */
export function addPrefetched(href: string, page: LoadingPage): void {
  // The navigation that uses the page handles the error.
  page.catch(() => {})
  const startedMs = Date.now()
  prefetched.set(href, { page, startedMs })
  setTimeout(() => prefetched.get(href)?.startedMs === startedMs && prefetched.delete(href), lifetimeMs)
}

/** Returns a prefetched page once. */
export function takePrefetched(href: string): LoadingPage | null {
  const early = prefetched.get(href)
  prefetched.delete(href)
  // Browsers delay the timers of hidden tabs.
  return early && Date.now() - early.startedMs < lifetimeMs ? early.page : null
}

/** Discards all prefetched pages. Call it when a change may have made them out of date. */
export function forgetPrefetched(): void {
  prefetched.clear()
}
