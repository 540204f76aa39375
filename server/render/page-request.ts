import type { FastifyRequest } from 'fastify'
import { parsePreferences, preferencesCookie, serializePreferences } from '../../shared/preferences.ts'
import { type ScreenId, screens } from '../../shared/screens.ts'
import type { ScreenRequest } from '../screens/screen.ts'

/** A request for a screen: GET for its content, or POST with `form` to submit one of its forms. */
export type PageRequest = ScreenRequest & {
  screen: ScreenId
  /** Path and query as received. */
  url: string
  form: URLSearchParams | null
  /** The visitor's address. Visitors behind an untrusted proxy share one address. */
  visitor: string
}

/** Extracts the parts of the request that a page may depend on. */
export function readPageRequest(
  screen: ScreenId,
  search: string | null,
  signal: AbortSignal,
  request: FastifyRequest,
): PageRequest {
  const { path } = screens[screen]
  return {
    screen,
    url: search === null ? path : `${path}?${search}`,
    form: request.method === 'POST' ? formOf(request.body) : null,
    visitor: request.ip,
    params: new URLSearchParams(search ?? ''),
    preferences: parsePreferences(request.cookies[preferencesCookie]),
    nowMs: Date.now(),
    origin: `${request.protocol}://${request.host}`,
    signal,
  }
}

/** Requests with the same key can share a page. */
export function cacheKeyOf({ url, preferences, origin }: PageRequest): string {
  return `${url} ${serializePreferences(preferences)} ${origin}`
}

function formOf(body: unknown): URLSearchParams {
  return body instanceof URLSearchParams ? body : new URLSearchParams()
}
