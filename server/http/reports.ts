import rateLimit from '@fastify/rate-limit'
import type { FastifyPluginAsync } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { paths } from '../../shared/paths.ts'
import { screenAt } from '../../shared/screens.ts'
import type { Context } from '../context.ts'

const report = Type.Object({
  type: Type.String({ maxLength: 200 }),
  message: Type.String({ maxLength: 4000 }),
  stack: Type.Union([Type.String({ maxLength: 16_000 }), Type.Null()]),
  path: Type.String({ maxLength: 2000 }),
})

/** Where Sixpane's own client tells of an exception that kept a screen from loading. Answers with its digest. */
const reports: FastifyPluginAsync<{ context: Pick<Context, 'failures' | 'build'> }> = async (
  fastify,
  { context },
) => {
  await fastify.register(async scope => {
    await scope.register(rateLimit, { max: 30, timeWindow: '1 minute' })
    scope.post(paths.report(), { bodyLimit: 64 * 1024 }, async (request, reply) => {
      if (!Value.Check(report, request.body)) {
        return reply
          .code(400)
          .send({ error: 'Bad Request', message: 'A report needs type, message, stack and path' })
      }
      const { path, ...exception } = request.body
      const described = await context.failures.describeReported(exception)
      const screen = screenAt(path)
      request.log.error(
        {
          err: described.exception,
          digest: described.digest,
          side: 'client',
          // Of what a browser says only what we know ourselves is taken for a route.
          route: screen === undefined ? null : path,
          release: context.build.version,
        },
        'Failed to load a screen',
      )
      return { digest: described.digest }
    })
  })
}

export default fastifyPlugin(reports, {
  name: 'reports',
  fastify: '5.x',
  dependencies: ['headers', 'cross-site'],
})
