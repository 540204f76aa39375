import { STATUS_CODES } from 'node:http'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import pLimit from 'p-limit'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { paths } from '../../shared/paths.ts'
import type { Context } from '../context.ts'
import { bodyOf, takeAnyBody } from '../ingest/ingest-request.ts'
import { encodings, RefusedBodyError } from '../ingest/read-body.ts'
import { MapProblem } from '../source-maps/map-problem.ts'
import type { Upload } from '../source-maps/service-maps.ts'
import { readDebugId } from '../source-maps/source-map.ts'

const name = Type.String({ minLength: 1, maxLength: 500 })
const query = Type.Object({
  release: name,
  path: name,
  service: Type.Optional(name),
  debug_id: Type.Optional(Type.String()),
})

/** A map of this size takes a few times as much memory while it is read. */
const largestBytes = 64e6
const maxConcurrent = 2

/**
 * `PUT /api/sourcemaps?release=…&path=…&service=…`: stores the source map of one generated file. Answers 201 with its id,
 * or 200 if it is stored already. Without `service` any service may use the map.
 */
const sourceMaps: FastifyPluginAsync<{
  context: Pick<Context, 'sourceMaps' | 'reidentify'>
}> = async (fastify, { context }) => {
  const { sourceMaps, reidentify } = context
  const limit = pLimit(maxConcurrent)
  await fastify.register(async scope => {
    takeAnyBody(scope)
    scope.put(paths.sourceMaps(), async (request, reply) => {
      try {
        const about = readAbout(request.query)
        const { map, isNew } = await limit(async () => {
          // A client that went while it waited has no body any more that would come to an end.
          if (request.raw.destroyed) throw new RefusedBodyError(400, 'The body ended before it was whole')
          return sourceMaps.add({ ...about, json: await bodyOf(request, largestBytes) })
        })
        if (isNew) void reidentify.wake()
        const { id, release, path, debugId, service } = map
        return reply.code(isNew ? 201 : 200).send({ id, release, path, debugId, service })
      } catch (error) {
        if (error instanceof MapProblem)
          return answer(reply, 400, `This source map can't be used. ${error.message}`)
        if (!(error instanceof RefusedBodyError)) throw error
        // https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3
        if (error.status === 415) reply.header('accept-encoding', encodings.join(', '))
        return answer(reply, error.status, error.message)
      }
    })
  })
}

/** @throws RefusedBodyError before anything of the body is read */
function readAbout(given: unknown): Omit<Upload, 'json'> {
  if (!Value.Check(query, given)) {
    throw new RefusedBodyError(
      400,
      'The address needs `release` and `path`, and may have `service`, of 500 characters at most: ?release=1.4.2&path=static/js/main.js&service=shop',
    )
  }
  const debugId = readDebugId(given.debug_id)
  if (given.debug_id !== undefined && debugId === null) {
    throw new RefusedBodyError(400, 'The `debug_id` must be of letters, digits, dashes and dots, at most 100')
  }
  return {
    release: given.release.trim(),
    path: given.path,
    service: given.service?.trim() || null,
    debugId,
  }
}

function answer(reply: FastifyReply, status: number, message: string) {
  return reply.code(status).send({ error: STATUS_CODES[status], message })
}

export default fastifyPlugin(sourceMaps, {
  name: 'ingest-source-maps',
  fastify: '5.x',
  dependencies: ['headers', 'cross-site', 'access'],
})
