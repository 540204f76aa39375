/**
 * Splits a path with a query string into its parts. Splits at the first question mark, because a typed query may contain
 * more of them.
 */
export function splitUrl(url: string): { path: string; params: URLSearchParams } {
  const [path = '', query] = url.split(/\?(.*)/s)
  return { path, params: new URLSearchParams(query) }
}

/** Undoes `splitUrl`. */
export function joinUrl(path: string, params: URLSearchParams): string {
  return params.size === 0 ? path : `${path}?${params}`
}
