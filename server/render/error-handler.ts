import { STATUS_CODES } from 'node:http'
import type { FastifyError, FastifyPluginAsync } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import type { Context } from '../context.ts'
import { logFailure, sendFailure } from './fail.ts'

/**
 * Answers what was thrown outside of a screen. Nothing that was thrown is ever quoted, but for Fastify's own
 * words about a request that it could not take.
 */
const errors: FastifyPluginAsync<{ context: Pick<Context, 'failures' | 'build'> }> = async (
  fastify,
  { context },
) => {
  fastify.setErrorHandler<FastifyError>(async (error, request, reply) => {
    const status = error.statusCode ?? 500
    if (status >= 400 && status < 500) {
      const message = error.code?.startsWith('FST_') ? error.message : 'The request could not be taken'
      return reply.code(status).send({ error: nameOf(status), message })
    }
    const route = request.routeOptions.url ?? null
    if (request.headers.accept?.includes('text/html'))
      return sendFailure(error, route, request, reply, context)
    const digest = await logFailure(error, { side: 'server', route }, request, context)
    return reply
      .code(500)
      .header('cache-control', 'no-store')
      .send({ error: nameOf(500), digest })
  })
}

function nameOf(status: number): string {
  return STATUS_CODES[status] ?? 'Error'
}

export default fastifyPlugin(errors, { name: 'errors', fastify: '5.x', dependencies: ['headers'] })
