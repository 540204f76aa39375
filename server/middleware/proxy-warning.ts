import type { FastifyPluginAsync } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import type { Context } from '../context.ts'

/**
 * Warns once if requests seem to come through a reverse proxy but no proxy is trusted. Nothing else would explain why all
 * clients behind that proxy share the limits of one address.
 */
const proxyWarning: FastifyPluginAsync<{ context: Pick<Context, 'config'> }> = async (
  fastify,
  { context },
) => {
  if (context.config.trustedProxies.length > 0) return
  let isWarned = false
  fastify.addHook('onRequest', (request, _reply, done) => {
    if (!isWarned && request.headers['x-forwarded-for'] !== undefined) {
      isWarned = true
      request.log.warn(
        { peer: request.ip },
        'X-Forwarded-For is ignored, and all clients behind the proxy that sent it share the limits of one address. If the proxy is yours, set SIXPANE_TRUST_PROXY to its address',
      )
    }
    done()
  })
}

export default fastifyPlugin(proxyWarning, { name: 'proxy-warning', fastify: '5.x' })
