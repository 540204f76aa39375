import type { FastifyRequest } from 'fastify'
import { paths } from '../../shared/paths.ts'
import type { Config } from '../config.ts'

/**
 * The origin of a connected web application whose page sent this request to `/browser`, or `null`: for any other
 * request. That one route is open to browsers of other sites, and to visitors who know no password.
 */
export function connectedOrigin(
  request: FastifyRequest,
  { browserOrigins }: Pick<Config, 'browserOrigins'>,
): string | null {
  const { origin } = request.headers
  if (origin === undefined || request.routeOptions.url !== paths.browser()) return null
  return browserOrigins.includes(origin) ? origin : null
}

/**
 * Whether a browser says that another site made it send this: by `Sec-Fetch-Site`, or, where it does not send that,
 * by `Origin`. A client that sends neither is no browser.
 */
export function isCrossSite(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  const { origin } = request.headers
  return origin !== undefined && !(URL.canParse(origin) && new URL(origin).host === request.host)
}
