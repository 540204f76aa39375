/**
 * Returns the original `fetch`. Next.js patches `fetch` to attribute requests to the page being rendered. A patched request
 * would make a statically rendered page fail, or never end while a page is prerendered.
 * https://github.com/vercel/next.js/blob/canary/packages/next/src/server/lib/patch-fetch.ts
 */
export function originalFetch(): typeof fetch {
  const original: unknown = Reflect.get(fetch, '_nextOriginalFetch')
  return isFetch(original) ? original : fetch
}

function isFetch(value: unknown): value is typeof fetch {
  return typeof value === 'function'
}
