import type { FastifyPluginAsync } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { paths } from '../../shared/paths.ts'
import type { Context } from '../context.ts'
import { readAccess } from '../http/route-access.ts'
import { routeDependencies } from '../http/route-dependencies.ts'
import { createPrometheusMetrics } from '../self-metrics/prometheus.ts'
import { requiresSignIn } from '../settings/config.ts'

/**
 * `GET /metrics`, for Prometheus. Requires a user or token with read access to all services, unless the configuration makes
 * the metrics public. Off by default if nobody has to sign in, because the metrics would otherwise be public by accident.
 * Registered before the other routes, so that it measures their requests.
 */
const metrics: FastifyPluginAsync<{
  context: Pick<Context, 'config' | 'build' | 'events' | 'store' | 'logger'>
}> = async (fastify, { context }) => {
  const { metricsArePublic } = context.config
  if (!metricsArePublic && !requiresSignIn(context.config)) return
  const measured = createPrometheusMetrics(context)
  fastify.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? null
    measured.onRequest({
      method: request.method,
      route,
      status: reply.statusCode,
      durationMs: reply.elapsedTime,
    })
    done()
  })
  fastify.get(
    paths.metrics(),
    { config: { access: metricsArePublic ? 'public' : { ...readAccess, needsAllServices: true } } },
    async (_request, reply) => reply.type(measured.contentType).send(await measured.text()),
  )
  fastify.addHook('onClose', async () => measured.stop())
}

export default fastifyPlugin(metrics, { name: 'metrics', fastify: '5.x', dependencies: routeDependencies })
