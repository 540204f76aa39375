import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import type { Context } from '../context.ts'
import type { Normalise } from '../events/normalise.ts'
import { clientOf } from '../http/client-address.ts'
import { HttpError } from '../http/http-error.ts'
import { acceptAnyBody, type BodyLimits } from '../http/read-body.ts'
import type { RestrictedAccess } from '../http/route-access.ts'
import { routeDependencies } from '../http/route-dependencies.ts'
import { nextTurn } from '../time-slice.ts'
import { type Collected, collectEvents, type DecodedRequest } from './collect-events.ts'
import { requestKeyOf } from './request-key.ts'
import { createRequestRate } from './request-rate.ts'
import { retentionLimitOf } from './retention-limit.ts'
import { storeEvents } from './store-events.ts'

/** The context in which an endpoint decodes a request. The limits apply to the decompressed body. */
export type Decoding = BodyLimits & {
  normalise: Normalise
  /** The arrival time. */
  nowMs: number
  /** Older events are rejected. */
  oldestMs: number
}

/** Larger bodies take more than a few milliseconds to decode. */
const largeBodyBytes = 256 * 1024

/** A route that receives events in one protocol's format. */
export type IngestEndpoint<Item extends object> = {
  name: string
  paths: readonly string[]
  /** With `dsn`, pages of connected web applications may send requests, too. By default, they are rejected. */
  pages?: 'dsn'
  /** Adds hooks and other routes to the endpoint's scope. */
  prepare?(scope: FastifyInstance, context: IngestContext): Promise<void>
  /** Reads the body of a request and decodes it into items. @throws HttpError if the whole body is invalid */
  decode(request: FastifyRequest, decoding: Decoding): Promise<DecodedRequest<Item>>
  /** Responds once the events are durable. @throws HttpError if the protocol treats rejected items as an error */
  success(collected: Collected, request: FastifyRequest, reply: FastifyReply): unknown
  /** Sends the status and message of an error in the protocol's format. Default: the format of other routes. */
  failure?(error: HttpError, request: FastifyRequest, reply: FastifyReply): FastifyReply
}

export type IngestContext = Pick<Context, 'config' | 'settings' | 'events' | 'memory' | 'normalise'>

/**
 * Converts an endpoint into a plugin that checks the request rate, decodes a request, collects and stores the events, and
 * responds, in that order. Valid events are durable before the response, even if other items of the request are rejected.
 */
export function defineIngestEndpoint<Item extends object>({
  name,
  paths,
  pages,
  prepare,
  decode,
  success,
  failure,
}: IngestEndpoint<Item>): FastifyPluginAsync<{ context: IngestContext }> {
  const plugin: FastifyPluginAsync<{ context: IngestContext }> = async (fastify, { context }) => {
    const { config, settings, events, memory, normalise } = context
    const limitBytes = config.ingestLimitBytes
    await fastify.register(async scope => {
      acceptAnyBody(scope)
      await prepare?.(scope, context)
      const checkRate = await createRequestRate(scope, config.ingestRequestsPerSecond)
      const handle = async (request: FastifyRequest, reply: FastifyReply) => {
        const client = clientOf(request)
        const [bodyLease, eventLease] = [memory.bodies.openLease(client), memory.events.openLease(client)]
        try {
          await checkRate(request)
          const nowMs = Date.now()
          const ageLimit = retentionLimitOf(settings, nowMs)
          const decoded = await decode(request, {
            normalise,
            nowMs,
            oldestMs: ageLimit.oldestMs,
            limitBytes,
            reserve: bodyLease.reserve,
          })
          const services = request.token?.services ?? null
          const options = { limitBytes, reserve: eventLease.reserve, services, ...ageLimit }
          const collect = async () => {
            await nextTurn()
            return collectEvents(decoded, options)
          }
          const collected = await (decoded.sizeBytes > largeBodyBytes
            ? memory.decodeLarge(collect)
            : collectEvents(decoded, options))
          const requestKey = await keyOfAccepted(collected, await decoded.requestKey?.())
          await storeEvents(collected, requestKey, events, config.storeDeadlineMs)
          return await success(collected, request, reply)
        } catch (error) {
          if (failure === undefined || !(error instanceof HttpError)) throw error
          return failure(error, request, reply.code(error.statusCode).headers(error.headers))
        } finally {
          bodyLease.release()
          eventLease.release()
        }
      }
      const access: RestrictedAccess = {
        role: 'member',
        scope: 'ingest',
        ...(pages !== undefined && { pages }),
      }
      for (const path of paths) scope.post(path, { config: { access } }, handle)
    })
  }
  return fastifyPlugin(plugin, { name, fastify: '5.x', dependencies: routeDependencies })
}

/**
 * Returns the idempotency key for the accepted part of a request. After a setting or token has changed, the same request may
 * contain more valid events, and must not be mistaken for a retry.
 */
async function keyOfAccepted(
  { events, rejected }: Pick<Collected, 'events' | 'rejected'>,
  requestKey: string | undefined,
): Promise<string | undefined> {
  return requestKey === undefined || rejected === 0
    ? requestKey
    : requestKeyOf(requestKey, String(events.length))
}
