import type { FastifyPluginAsync } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { paths } from '../../shared/paths.ts'

/** Clients that are not signed in could otherwise fill the store with long paths. */
const maxPathLength = 500

/**
 * Logs one line per completed request; the dashboard counts these events. Health checks, metrics, assets, browser reports and
 * event streams are logged at debug level.
 */
const requestLog: FastifyPluginAsync = async fastify => {
  const quiet = new Set([
    paths.livez(),
    paths.readyz(),
    paths.metrics(),
    paths.asset('*'),
    paths.live(),
    paths.browser(),
  ])
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done()
  })
  fastify.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? null
    const level = route !== null && quiet.has(route) ? 'debug' : 'info'
    request.log[level](
      {
        method: request.method,
        route,
        path: request.originalUrl.split('?', 1)[0]?.slice(0, maxPathLength),
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime * 1000) / 1000,
      },
      'Request answered',
    )
    done()
  })
}

export default fastifyPlugin(requestLog, { name: 'request-log', fastify: '5.x' })
