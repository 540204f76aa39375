import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance } from 'fastify'
import { clientAddress } from '../http/client-address.ts'
import type { RestrictedAccess } from '../http/route-access.ts'
import { connectedOrigin } from '../middleware/browser-origin.ts'
import type { Config } from '../settings/config.ts'

type Options = {
  config: Pick<Config, 'browserOrigins'>
  paths: readonly string[]
  access: RestrictedAccess
  /** The request headers that pages may set. */
  allowedHeaders: string
  /** The response headers that pages may read. */
  exposedHeaders?: string
}

/** Any visitor can send requests, so one address may send only this many per minute. */
const maxPerMinute = 300

/** Lets pages of connected web applications send requests to the scope's routes, and limits the rate per client address. */
export async function acceptConnectedPages(
  scope: FastifyInstance,
  { config, paths, access, allowedHeaders, exposedHeaders }: Options,
): Promise<void> {
  // Set the headers before the rate limit is checked, so that the page can read a 429 response.
  scope.addHook('onRequest', async (request, reply) => {
    reply.header('vary', 'Origin')
    const origin = connectedOrigin(request, config)
    if (origin === null) return
    reply.header('access-control-allow-origin', origin)
    if (exposedHeaders !== undefined) reply.header('access-control-expose-headers', exposedHeaders)
    // Beacons are no-cors requests. Without this header, the browser's console shows an error for them.
    reply.header('cross-origin-resource-policy', 'cross-origin')
  })
  await scope.register(rateLimit, {
    max: maxPerMinute,
    timeWindow: '1 minute',
    keyGenerator: clientAddress,
    // Requests without `Origin` do not come from pages. Those from services have a separate limit.
    allowList: request => request.headers.origin === undefined,
  })
  for (const path of paths) {
    scope.options(path, { config: { access } }, (_request, reply) =>
      reply
        .code(204)
        .header('access-control-allow-methods', 'POST')
        .header('access-control-allow-headers', allowedHeaders)
        .header('access-control-max-age', 86_400)
        .send(),
    )
  }
}
