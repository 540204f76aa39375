import type { FastifyPluginAsync } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import type { Context } from '../context.ts'

/**
 * During shutdown, closes each keep-alive connection after its next response, so that clients send no more requests on a
 * connection that is about to close.
 */
const draining: FastifyPluginAsync<{ context: Pick<Context, 'draining'> }> = async (fastify, { context }) => {
  fastify.addHook('onSend', async (_request, reply) => {
    if (context.draining.aborted) reply.header('connection', 'close')
  })
}

export default fastifyPlugin(draining, { name: 'draining', fastify: '5.x' })
