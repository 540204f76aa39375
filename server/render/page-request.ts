import type { FastifyRequest } from 'fastify'
import { preferencesCookie, preferencesOf, zoneCookie } from '../../shared/preferences.ts'
import { type ScreenId, screens } from '../../shared/screens.ts'
import { clientAddress } from '../http/client-address.ts'
import { userOf } from '../http/route-access.ts'
import type { ScreenRequest } from '../screens/screen.ts'

/** A request for a screen: GET for its content, or POST with `form` to submit one of its forms. */
export type PageRequest = Omit<ScreenRequest, 'nowMs'> & {
  screen: ScreenId
  /** Path and query as received. */
  url: string
  form: URLSearchParams | null
  /** The visitor's IPv4 address or IPv6 network. Visitors behind an untrusted proxy share one address. */
  visitor: string
}

/** Extracts the parts of the request that a page may depend on. */
export function readPageRequest(
  screen: ScreenId,
  search: string | null,
  signal: AbortSignal,
  request: FastifyRequest,
): PageRequest {
  return {
    screen,
    url: urlOf(screen, search),
    form: request.method === 'POST' ? formOf(request.body) : null,
    visitor: clientAddress(request),
    user: userOf(request),
    params: new URLSearchParams(search ?? ''),
    preferences: preferencesOf(request.cookies),
    origin: originOf(request),
    signal,
  }
}

/**
 * Requests with the same key can share a page. The key contains unparsed values, because it is computed for every request,
 * and parsing them would cost time.
 */
export function cacheKeyOf(screen: ScreenId, search: string | null, request: FastifyRequest): string {
  const { [preferencesCookie]: preferences = '', [zoneCookie]: zone = '' } = request.cookies
  const { name, role, services } = userOf(request)
  // Only /settings shows the user's name.
  const user = [screen === 'settings' ? name : null, role, services]
  // The line breaks separate the parts unambiguously, because no part contains one.
  return `${urlOf(screen, search)}\n${originOf(request)}\n${JSON.stringify([preferences, zone, user])}`
}

function urlOf(screen: ScreenId, search: string | null): string {
  const { path } = screens[screen]
  return search === null ? path : `${path}?${search}`
}

function originOf({ protocol, host }: FastifyRequest): string {
  return `${protocol}://${host}`
}

export function formOf(body: unknown): URLSearchParams {
  return body instanceof URLSearchParams ? body : new URLSearchParams()
}
