import type { FastifyPluginAsync } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { paths } from '../../shared/paths.ts'

/**
 * One line a request, when it is over: as an event it is what the figures of the dashboard count. What only a
 * machine asks for, over and over, and what lasts as long as its reader likes, is logged at debug.
 */
const requestLog: FastifyPluginAsync = async fastify => {
  const quiet = new Set([paths.livez(), paths.readyz(), paths.asset('*'), paths.live(), paths.browser()])
  fastify.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
  })
  fastify.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? null
    const level = route !== null && quiet.has(route) ? 'debug' : 'info'
    request.log[level](
      {
        method: request.method,
        route,
        path: request.url.split('?', 1)[0],
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime * 1000) / 1000,
      },
      'Request answered',
    )
    done()
  })
}

export default fastifyPlugin(requestLog, { name: 'request-log', fastify: '5.x', dependencies: ['headers'] })
