import type { FastifyPluginAsync } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { paths } from '../../../shared/paths.ts'
import type { Context } from '../../context.ts'
import { sendText } from './loki.ts'

/** `GET /ready`: the probe of Loki's clients, with Loki's texts. */
const lokiReady: FastifyPluginAsync<{ context: Pick<Context, 'store' | 'draining'> }> = async (
  fastify,
  { context },
) => {
  fastify.get(paths.lokiReady(), { config: { auth: 'none' } }, async (_request, reply) => {
    if (context.draining.aborted) return sendText(reply.code(503), 'Stopping')
    const works = await context.store.check().then(
      () => true,
      () => false,
    )
    return works ? sendText(reply, 'ready') : sendText(reply.code(503), 'The store is unavailable')
  })
}

export default fastifyPlugin(lokiReady, {
  name: 'loki-ready',
  fastify: '5.x',
  dependencies: ['headers', 'cross-site'],
})
