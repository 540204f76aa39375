import type { FastifyRequest } from 'fastify'

/** Splits a raw request URL into path and query string. `search` is `null` if the URL has no question mark. */
export function splitUrl(url: string): { path: string; search: string | null } {
  const mark = url.indexOf('?')
  return mark === -1 ? { path: url, search: null } : { path: url.slice(0, mark), search: url.slice(mark + 1) }
}

/** The query parameters, parsed as in browsers. In `request.query`, a repeated parameter would be an array. */
export function searchParamsOf(request: FastifyRequest): URLSearchParams {
  return new URLSearchParams(splitUrl(request.raw.url ?? '').search ?? '')
}
