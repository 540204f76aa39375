let requests = 0

/** Adds a parameter that Sixpane ignores, so that no two requests can share a rendered page. */
export function uniqueUrl(path: string): string {
  requests += 1
  return `${path}${path.includes('?') ? '&' : '?'}n=${requests}`
}

/** Requests a page. @throws Error unless its status is 200 */
export async function fetchPage(origin: string, path: string): Promise<string> {
  const response = await fetch(origin + path)
  const text = await response.text()
  if (!response.ok) throw new Error(`${path} returned status ${response.status}`)
  return text
}

/** Returns the time until the last byte of a page arrives. */
export async function pageMs(origin: string, path: string): Promise<number> {
  const startedMs = performance.now()
  await fetchPage(origin, uniqueUrl(path))
  return performance.now() - startedMs
}
