/**
 * Returns the original `fetch`. Next.js patches `fetch` to attribute requests to the page being rendered. A request with the
 * patched `fetch` would make a statically rendered page fail, and would never complete while a page is prerendered.
 * https://github.com/vercel/next.js/blob/canary/packages/next/src/server/lib/patch-fetch.ts
 */
export function originalFetch(): typeof fetch {
  const original: unknown = Reflect.get(fetch, '_nextOriginalFetch')
  return isFetch(original) ? original : fetch
}

function isFetch(value: unknown): value is typeof fetch {
  return typeof value === 'function'
}
