import rateLimit from '@fastify/rate-limit'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Exception } from '../../shared/event.ts'
import { paths } from '../../shared/paths.ts'
import { screenAt } from '../../shared/screens.ts'
import type { Context } from '../context.ts'
import { HttpError } from '../http/http-error.ts'

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
    scope.post(paths.report(), { bodyLimit: 64 * 1024 }, async request => {
      if (!Value.Check(report, request.body)) {
        throw new HttpError(400, 'A report needs type, message, stack and path')
      }
      const { path, ...exception } = request.body
      return { digest: await logClientFailure(exception, path, 'Failed to load a screen', request, context) }
    })
  })
}

/** Writes the one log line of an exception that one of Sixpane's own pages told of; gives its digest. */
export async function logClientFailure(
  reported: Exception,
  path: string,
  message: string,
  request: FastifyRequest,
  { failures, build }: Pick<Context, 'failures' | 'build'>,
): Promise<string> {
  const { exception, digest } = await failures.describeReported(reported)
  // Of what a browser says only what we know ourselves is taken for a route.
  const route = screenAt(path) === undefined ? null : path
  request.log.error({ err: exception, digest, side: 'client', route, release: build.version }, message)
  return digest
}

export default fastifyPlugin(reports, {
  name: 'reports',
  fastify: '5.x',
  dependencies: ['headers', 'cross-site'],
})
