import type { Page } from '../shared/page.ts'

const lifetimeMs = 5_000

/** Pages that were requested before the visitor clicked a link, by URL. */
const prefetched = new Map<string, Promise<Page | null>>()

export function isPrefetched(href: string): boolean {
  return prefetched.has(href)
}

/** Makes a page available to the next navigation to this URL within five seconds. */
export function addPrefetched(href: string, page: Promise<Page | null>): void {
  // The navigation that uses the page handles the error.
  page.catch(() => {})
  prefetched.set(href, page)
  setTimeout(() => prefetched.get(href) === page && prefetched.delete(href), lifetimeMs)
}

/** Returns a prefetched page and removes it, so that it is shown only once. */
export function takePrefetched(href: string): Promise<Page | null> | undefined {
  const page = prefetched.get(href)
  prefetched.delete(href)
  return page
}

/** Discards all prefetched pages. Call this when a change may have made them outdated. */
export function forgetPrefetched(): void {
  prefetched.clear()
}
