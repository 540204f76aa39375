import type { FastifyPluginAsync } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { paths } from '../../../shared/paths.ts'
import type { Context } from '../../context.ts'
import { routeDependencies } from '../../http/route-dependencies.ts'
import { sendText } from './loki.ts'

/** `GET /ready`: Loki's readiness probe, which Loki's clients use. */
const lokiReady: FastifyPluginAsync<{ context: Pick<Context, 'store' | 'draining'> }> = async (
  fastify,
  { context },
) => {
  fastify.get(paths.lokiReady(), { config: { access: 'public' } }, async (_request, reply) => {
    if (context.draining.aborted) return sendText(reply.code(503), 'Stopping')
    const isAvailable = await context.store.check().then(
      () => true,
      () => false,
    )
    return isAvailable ? sendText(reply, 'ready') : sendText(reply.code(503), 'The store is unavailable')
  })
}

export default fastifyPlugin(lokiReady, {
  name: 'loki-ready',
  fastify: '5.x',
  dependencies: routeDependencies,
})
