import type { FastifyRequest } from 'fastify'
import type {} from '../http/route-access.ts'
import type { Config } from '../settings/config.ts'

/**
 * Returns the origin of the connected web application whose page sent this request. Returns `null` for other requests, and if
 * the route does not accept requests from such pages.
 */
export function connectedOrigin(
  request: FastifyRequest,
  { browserOrigins }: Pick<Config, 'browserOrigins'>,
): string | null {
  const { origin } = request.headers
  if (origin === undefined || !acceptsBrowserOrigins(request)) return null
  return browserOrigins.includes(origin) ? origin : null
}

/** Whether the route accepts requests from pages of connected web applications. */
export function acceptsBrowserOrigins(request: FastifyRequest): boolean {
  const access = request.routeOptions.config?.access
  return access !== undefined && access !== 'public' && access.pages !== undefined
}

/** Whether the route accepts GET requests that pages of other sites cause, such as links to Sixpane. */
export function acceptsCrossSiteReads({ routeOptions }: Pick<FastifyRequest, 'routeOptions'>): boolean {
  const access = routeOptions.config?.access
  return access === undefined || access === 'public' || access.rejectsCrossSite !== true
}

/**
 * Whether a page on another site caused the request, according to `Sec-Fetch-Site` or, without it, `Origin`. Browsers send
 * `Sec-Fetch-Site` only over HTTPS and to loopback addresses, and no `Origin` if a GET request is for a link or an image. Over
 * plain HTTP, such a request looks like that of a client that is not a browser.
 */
export function isCrossSite(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  const { origin } = request.headers
  return origin !== undefined && !(URL.canParse(origin) && new URL(origin).host === request.host)
}
