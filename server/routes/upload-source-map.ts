import type { FastifyPluginAsync } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import pLimit from 'p-limit'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { paths } from '../../shared/paths.ts'
import type { Context } from '../context.ts'
import { clientOf } from '../http/client-address.ts'
import { HttpError } from '../http/http-error.ts'
import { acceptAnyBody, readBody } from '../http/read-body.ts'
import { uploadAccess } from '../http/route-access.ts'
import { routeDependencies } from '../http/route-dependencies.ts'
import { mapLimits } from '../source-maps/map-limits.ts'
import type { Upload } from '../source-maps/pack-upload.ts'
import { readDebugId } from '../source-maps/source-map.ts'
import { SourceMapError } from '../source-maps/source-map-error.ts'

/** Not blank, because a blank service must not become "any service". */
const name = Type.String({ pattern: '\\S', maxLength: mapLimits.nameLength })
const query = Type.Object({
  release: name,
  path: name,
  service: Type.Optional(name),
  debug_id: Type.Optional(Type.String()),
})

const maxConcurrentUploads = 2

/**
 * `PUT /api/sourcemaps?release=…&path=…&service=…`: stores the source map of one generated file. Responds with its id, and
 * with status 201, or 200 if it is already stored. Without `service`, any service may use the map.
 */
const sourceMaps: FastifyPluginAsync<{
  context: Pick<Context, 'sourceMaps' | 'regrouping' | 'memory'>
}> = async (fastify, { context }) => {
  const { sourceMaps, regrouping, memory } = context
  const limited = pLimit(maxConcurrentUploads)
  await fastify.register(async scope => {
    acceptAnyBody(scope)
    scope.put(paths.sourceMaps(), { config: { access: uploadAccess } }, async (request, reply) => {
      const target = parseTarget(request.query)
      const services = request.token?.services ?? null
      if (services !== null && !services.includes(target.service ?? ''))
        throw new HttpError(
          403,
          `The token may only upload source maps of these services: ${services.join(', ')}`,
        )
      const { map, isNew } = await limited(async () => {
        const lease = memory.uploads.openLease(clientOf(request))
        try {
          const json = await readBody(request, {
            limitBytes: mapLimits.sizeBytes,
            reserve: lease.reserve,
            advice: 'split the bundle, or build its source map without `sourcesContent`',
          })
          return await sourceMaps.add({ ...target, json })
        } catch (error) {
          if (!(error instanceof SourceMapError)) throw error
          throw new HttpError(400, `This source map can't be used. ${error.message}`)
        } finally {
          lease.release()
        }
      })
      if (isNew) void regrouping.wake()
      const { id, release, path, debugId, service } = map
      return reply.code(isNew ? 201 : 200).send({ id, release, path, debugId, service })
    })
  })
}

/** @throws HttpError */
function parseTarget(given: unknown): Omit<Upload, 'json'> {
  if (!Value.Check(query, given)) {
    throw new HttpError(
      400,
      `The query needs \`release\` and \`path\`, and can also contain \`service\`. Each may have up to ${mapLimits.nameLength} characters: ?release=1.4.2&path=static/js/main.js&service=shop`,
    )
  }
  const debugId = readDebugId(given.debug_id)
  if (given.debug_id !== undefined && debugId === null) {
    throw new HttpError(
      400,
      'The `debug_id` must consist of 1 to 100 letters, digits, underscores, dashes or dots',
    )
  }
  return {
    release: given.release.trim(),
    path: given.path,
    service: given.service?.trim() ?? null,
    debugId,
  }
}

export default fastifyPlugin(sourceMaps, {
  name: 'ingest-source-maps',
  fastify: '5.x',
  dependencies: routeDependencies,
})
