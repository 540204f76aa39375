import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyPluginAsync } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import helmet from 'helmet'

type InlineSources = { scriptSources: readonly string[]; styleSources: readonly string[] }

/**
 * Sets the security headers of every response. The Content-Security-Policy allows no other hosts, and no inline scripts or
 * styles except those whose hashes are in `scriptSources` and `styleSources`.
 */
const headers: FastifyPluginAsync<InlineSources> = async (fastify, sources) => {
  const security = securityHeaders(sources)
  fastify.addHook('onRequest', (_request, reply, done) => {
    reply.headers(security)
    done()
  })
}

/** Runs Helmet once, because its headers are the same for every response. */
function securityHeaders({ scriptSources, styleSources }: InlineSources): OutgoingHttpHeaders {
  const setHeaders = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'script-src': ["'self'", ...scriptSources],
        'style-src': ["'self'", ...styleSources],
        'font-src': ["'self'"],
        'img-src': ["'self'", 'data:'],
        'connect-src': ["'self'"],
        'form-action': ["'self'"],
        'frame-ancestors': ["'none'"],
        'base-uri': ["'none'"],
      },
    },
    xFrameOptions: { action: 'deny' },
    referrerPolicy: { policy: 'same-origin' },
  })
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  setHeaders(request, response, () => {})
  return response.getHeaders()
}

export default fastifyPlugin(headers, { name: 'headers', fastify: '5.x' })
