import type { FastifyRequest } from 'fastify'
import { sentryPaths } from '../../../shared/paths.ts'
import { splitUrl } from '../../http/request-url.ts'

/** The `User-Agent` of the native `sentry-cli`, which differs from that of the JavaScript version. */
const nativeClient = /^sentry-cli\/[\d.]+$/

/**
 * Returns the URL of the request, to which the client also uploads chunks. For the native client, the URL is relative to the
 * root of the API, so that it is correct even behind a proxy that Sixpane does not trust. Other clients do not accept
 * relative URLs.
 */
export function uploadUrl(request: FastifyRequest): string {
  const { path } = splitUrl(request.url)
  const acceptsRelative = nativeClient.test(request.headers['user-agent'] ?? '')
  return acceptsRelative
    ? path.slice(sentryPaths.api().length)
    : `${request.protocol}://${request.host}${path}`
}
