import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import type { Context } from '../context.ts'
import { HttpError } from '../http/http-error.ts'
import { isLoopback, isOrigin } from '../settings/addresses.ts'
import { requiresSignIn } from '../settings/config.ts'
import {
  acceptsBrowserOrigins,
  acceptsCrossSiteReads,
  connectedOrigin,
  isCrossSite,
} from './browser-origin.ts'
import { isLoopbackRequest } from './loopback-request.ts'

/** Limits the number of logged origins, because clients can invent them. */
const maxWarnings = 20

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Protects all paths, including unknown ones, against requests from other sites in a user's browser:
 * - CSRF: a request that may change state, or starts a backup, must come from Sixpane's own pages. Only `/browser` and the
 *   endpoints for Sentry's SDKs also accept requests from pages of connected applications. Over plain HTTP, browsers do not
 *   say that a page of another site starts a backup, except on loopback.
 * - DNS rebinding: if Sixpane listens on a loopback address and requires no sign-in, each request must be addressed to a
 *   loopback host. Otherwise, a site could resolve its own name to 127.0.0.1 and read the log.
 */
const crossSite: FastifyPluginAsync<{ context: Pick<Context, 'config'> }> = async (fastify, { context }) => {
  const warned = new Set<string>()
  /** Logs the setting that would allow the origin, because operators do not see the response to the browser. */
  const warnOnce = ({ headers: { origin = '' }, log }: FastifyRequest) => {
    if (warned.has(origin) || warned.size >= maxWarnings || !isOrigin(origin)) return
    warned.add(origin)
    log.warn(
      { origin },
      'Pages from this origin may not send events. If the page is yours, add its origin to SIXPANE_BROWSER_ORIGINS',
    )
  }
  const checksHost = !requiresSignIn(context.config) && isLoopback(context.config.host)

  const reasonToReject = (request: FastifyRequest): HttpError | undefined => {
    if (checksHost && !isLoopbackRequest(request)) {
      const message = 'The Host header is not a loopback address. Use localhost, or set SIXPANE_PASSWORD'
      return new HttpError(421, message)
    }
    const isRead = safeMethods.has(request.method) && acceptsCrossSiteReads(request)
    const isAllowed = isRead || connectedOrigin(request, context.config) !== null
    if (isAllowed || !isCrossSite(request)) return undefined
    const isReport = acceptsBrowserOrigins(request)
    if (isReport) warnOnce(request)
    const message = isReport
      ? 'This origin is not in SIXPANE_BROWSER_ORIGINS'
      : "This request comes from another site; send it from Sixpane's own pages or without a browser"
    return new HttpError(403, message)
  }

  // Hooks that need no promise use callbacks, because each promise delays every request.
  fastify.addHook('onRequest', (request, _reply, done) => done(reasonToReject(request)))
}

export default fastifyPlugin(crossSite, { name: 'cross-site', fastify: '5.x', dependencies: ['headers'] })
