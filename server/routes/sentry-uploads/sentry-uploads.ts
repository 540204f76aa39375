import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { FastifyPluginAsync } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import pLimit from 'p-limit'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { sentryPaths } from '../../../shared/paths.ts'
import { createBackgroundTask } from '../../background-task.ts'
import type { Context } from '../../context.ts'
import { clientOf } from '../../http/client-address.ts'
import { HttpError } from '../../http/http-error.ts'
import { acceptAnyBody, readBody } from '../../http/read-body.ts'
import { uploadAccess } from '../../http/route-access.ts'
import { routeDependencies } from '../../http/route-dependencies.ts'
import { type AssemblyRequest, createAssemblies } from './assemblies.ts'
import { readChunks } from './chunk-form.ts'
import { createChunkStore } from './chunk-store.ts'
import { readJsonBody } from './json-body.ts'
import { sendErrorDetails } from './sentry-errors.ts'
import { uploadLimits } from './upload-limits.ts'
import { uploadUrl } from './upload-url.ts'

const sha1 = Type.String({ pattern: '^[\\da-f]{40}$' })
const assembly = Type.Object({
  checksum: sha1,
  chunks: Type.Array(sha1, { minItems: 1, maxItems: uploadLimits.chunksPerBundle }),
  version: Type.Optional(Type.Union([Type.String({ maxLength: uploadLimits.textLength }), Type.Null()])),
})

/**
 * `sentry-cli` 2 uploads bundles only if the list contains `release_files`, and artifact bundles only if the list also
 * contains `artifact_bundles`.
 */
const accepted = ['release_files', 'artifact_bundles', 'artifact_bundles_v2']
const maxConcurrentRequests = 2
const expireEveryMs = 10 * 60_000
/** By default, `sentry-cli` does not poll for the result, so the route waits briefly for it before responding. */
const waitForResultMs = 2_000

/**
 * Accepts source maps from `sentry-cli` and Sentry's bundler plugins. The client uploads a bundle in chunks, then asks
 * Sixpane to assemble it. Ignores the organization and project in the URLs.
 */
const sentryUploads: FastifyPluginAsync<{
  context: Pick<Context, 'config' | 'sourceMaps' | 'regrouping' | 'memory' | 'logger'>
}> = async (fastify, { context }) => {
  const { config, memory, logger } = context
  const chunks = createChunkStore(join(config.dataFolder, 'sentry-uploads'))
  const assemblies = createAssemblies({ chunks, context })
  const limited = pLimit(maxConcurrentRequests)
  const expiry = createBackgroundTask({
    everyMs: expireEveryMs,
    run: chunks.removeExpired,
    onError: err => logger.error({ err }, 'Failed to delete expired parts of uploads'),
  })
  fastify.addHook('onListen', chunks.clear)
  fastify.addHook('onClose', async () => {
    await expiry.stop()
    await assemblies.stop()
  })

  await fastify.register(async scope => {
    acceptAnyBody(scope)
    sendErrorDetails(scope)

    // Any service may use these source maps.
    const config = { access: { ...uploadAccess, needsAllServices: true } } as const
    scope.get(sentryPaths.chunkUpload(), { config }, async request => ({
      url: uploadUrl(request),
      chunkSize: uploadLimits.chunkBytes,
      chunksPerRequest: uploadLimits.chunksPerRequest,
      maxRequestSize: uploadLimits.chunkBytes * uploadLimits.chunksPerRequest,
      maxFileSize: uploadLimits.bundleBytes,
      hashAlgorithm: 'sha1',
      concurrency: maxConcurrentRequests,
      compression: ['gzip'],
      accept: accepted,
    }))

    scope.post(sentryPaths.chunkUpload(), { config }, async (request, reply) => {
      await limited(async () => {
        const lease = memory.uploads.openLease(clientOf(request))
        try {
          const limitBytes =
            (uploadLimits.chunkBytes + uploadLimits.chunkOverheadBytes) * uploadLimits.chunksPerRequest
          const body = await readBody(request, { limitBytes, reserve: lease.reserve })
          // Parsing needs three copies of the body, and one chunk at a time is decompressed.
          lease.reserve(3 * body.length + uploadLimits.chunkBytes)
          for await (const chunk of readChunks(body, request.headers['content-type'] ?? ''))
            await chunks.put(chunk)
        } finally {
          lease.release()
        }
      })
      return reply.send()
    })

    scope.post(sentryPaths.assemble(), { config }, async request => {
      const wanted = parseAssembly(await readJsonBody(request, memory))
      const found = assemblies.request(wanted)
      if (found.state !== 'created' && found.state !== 'assembling') return found
      await endOrTimeout(assemblies.ended(wanted))
      return assemblies.request(wanted)
    })
  })
}

/** @throws HttpError */
function parseAssembly(given: unknown): AssemblyRequest {
  if (!Value.Check(assembly, given)) {
    const message = `The body needs \`checksum\` and 1 to ${uploadLimits.chunksPerBundle} \`chunks\`, each a SHA-1, and can also contain a \`version\` of up to ${uploadLimits.textLength} characters`
    throw new HttpError(400, message)
  }
  const { checksum, chunks, version } = given
  return { checksum, chunks, release: version ?? null }
}

async function endOrTimeout(ended: Promise<void>): Promise<void> {
  const done = new AbortController()
  const timeout = setTimeout(waitForResultMs, undefined, { signal: done.signal }).catch(() => {})
  await Promise.race([ended, timeout])
  done.abort()
}

export default fastifyPlugin(sentryUploads, {
  name: 'sentry-uploads',
  fastify: '5.x',
  dependencies: routeDependencies,
})
