import { Readable } from 'node:stream'
import type { FastifyPluginAsync } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { sentryPaths } from '../../../shared/paths.ts'
import type { Context } from '../../context.ts'
import { HttpError } from '../../http/http-error.ts'
import { acceptAnyBody } from '../../http/read-body.ts'
import { uploadAccess } from '../../http/route-access.ts'
import { routeDependencies } from '../../http/route-dependencies.ts'
import { readJsonBody } from './json-body.ts'
import { sendErrorDetails } from './sentry-errors.ts'

const newRelease = Type.Object({ version: Type.String({ minLength: 1, maxLength: 500 }) })
const text = Type.Optional(Type.Union([Type.String({ maxLength: 500 }), Type.Null()]))
const newDeploy = Type.Object({
  environment: Type.String({ minLength: 1, maxLength: 500 }),
  name: text,
  url: text,
  dateStarted: text,
  dateFinished: text,
})
const release = Type.Object({ version: Type.String() })

/**
 * Responds to the requests, apart from uploads, that `sentry-cli` and Sentry's bundler plugins send during a build, so that
 * the build does not fail. Stores nothing, because Sixpane detects a release from its first event.
 */
const sentryReleases: FastifyPluginAsync<{ context: Pick<Context, 'memory'> }> = async (
  fastify,
  { context: { memory } },
) => {
  const options = { config: { access: uploadAccess } }
  await fastify.register(async scope => {
    acceptAnyBody(scope)
    sendErrorDetails(scope)
    scope.get(sentryPaths.api(), options, async () => ({ version: '0', user: null, auth: null }))
    // Without repositories, `sentry-cli` sends the commits of the local repository.
    scope.get(sentryPaths.repositories(), options, async () => [])

    for (const owner of sentryPaths.releaseOwners) {
      scope.post(sentryPaths.releases(owner), options, async (request, reply) => {
        const given = await readJsonBody(request, memory)
        if (!Value.Check(newRelease, given)) throw new HttpError(400, 'The body needs a `version`')
        return reply.code(201).send(describeRelease(given.version))
      })
      scope.put(sentryPaths.release(owner), options, async request => {
        // Discards the body, which may contain thousands of commits.
        if (request.body instanceof Readable) request.body.resume()
        return describeRelease(Value.Check(release, request.params) ? request.params.version : '')
      })
      scope.get(sentryPaths.previousRelease(owner), options, async () => ({}))
      scope.post(sentryPaths.deploys(owner), options, async (request, reply) => {
        const given = await readJsonBody(request, memory)
        if (!Value.Check(newDeploy, given)) throw new HttpError(400, 'The body needs an `environment`')
        const { environment, name = null, url = null, dateStarted = null, dateFinished = null } = given
        return reply.code(201).send({ id: '0', environment, name, url, dateStarted, dateFinished })
      })
    }
  })
}

function describeRelease(version: string) {
  return { version, dateCreated: new Date().toISOString(), projects: [] }
}

export default fastifyPlugin(sentryReleases, {
  name: 'sentry-releases',
  fastify: '5.x',
  dependencies: routeDependencies,
})
