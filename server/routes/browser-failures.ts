import rateLimit from '@fastify/rate-limit'
import type { FastifyPluginAsync } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { paths } from '../../shared/paths.ts'
import type { Context } from '../context.ts'
import { logClientFailure } from '../failures/log-client-failure.ts'
import { clientAddress } from '../http/client-address.ts'
import { HttpError } from '../http/http-error.ts'
import { routeDependencies } from '../http/route-dependencies.ts'

const report = Type.Object({
  type: Type.String({ maxLength: 200 }),
  message: Type.String({ maxLength: 4000 }),
  stack: Type.Union([Type.String({ maxLength: 16_000 }), Type.Null()]),
  path: Type.String({ maxLength: 2000 }),
})

/** `POST /report`: logs an exception that prevented a screen from loading, and responds with the exception's digest. */
const reports: FastifyPluginAsync<{ context: Pick<Context, 'failures' | 'build'> }> = async (
  fastify,
  { context },
) => {
  await fastify.register(async scope => {
    await scope.register(rateLimit, { max: 30, timeWindow: '1 minute', keyGenerator: clientAddress })
    scope.post(
      paths.report(),
      { bodyLimit: 64 * 1024, config: { access: { role: 'viewer' } } },
      async request => {
        if (!Value.Check(report, request.body)) {
          throw new HttpError(400, 'A report needs type, message, stack and path')
        }
        const { path, ...exception } = request.body
        return {
          digest: await logClientFailure(exception, path, 'Failed to load a screen', request, context),
        }
      },
    )
  })
}

export default fastifyPlugin(reports, {
  name: 'reports',
  fastify: '5.x',
  dependencies: routeDependencies,
})
