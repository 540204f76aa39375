import type { FastifyPluginAsync } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import type { Context } from '../context.ts'

/**
 * During shutdown, closes each keep-alive connection after its next response, so that clients send no more requests on a
 * connection that is about to close.
 */
const draining: FastifyPluginAsync<{ context: Pick<Context, 'draining'> }> = async (fastify, { context }) => {
  fastify.addHook('onSend', (_request, reply, payload, done) => {
    if (context.draining.aborted) reply.header('connection', 'close')
    done(null, payload)
  })
}

export default fastifyPlugin(draining, { name: 'draining', fastify: '5.x' })
