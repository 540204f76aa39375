import type { FastifyPluginAsync } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { liveness } from '../../shared/liveness.ts'
import { paths } from '../../shared/paths.ts'
import type { Context } from '../context.ts'
import { routeDependencies } from '../http/route-dependencies.ts'

/** `/livez` succeeds if the process responds, `/readyz` if the store can be read and no shutdown is in progress. */
const probes: FastifyPluginAsync<{ context: Pick<Context, 'store' | 'draining'> }> = async (
  fastify,
  { context },
) => {
  fastify.get(paths.livez(), { config: { access: 'public' } }, async () => liveness)
  fastify.get(paths.readyz(), { config: { access: 'public' } }, async (_request, reply) => {
    if (context.draining.aborted) return reply.code(503).send({ status: 'stopping' })
    try {
      await context.store.check()
      return { status: 'ok' }
    } catch {
      return reply.code(503).send({ status: 'store unavailable' })
    }
  })
}

export default fastifyPlugin(probes, { name: 'probes', fastify: '5.x', dependencies: routeDependencies })
