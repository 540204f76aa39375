import { createHash } from 'node:crypto'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import type { Context } from '../context.ts'
import { type Events, QueueFullError } from '../events/events.ts'
import type { Normalise } from '../events/normalise.ts'
import { HttpError } from '../http/http-error.ts'
import { acceptAnyBody } from '../http/read-body.ts'
import type { RouteAuth } from '../http/route-auth.ts'
import { ageLimitOf } from './age-limit.ts'
import { type Batch, type Collected, collectEvents } from './collect-events.ts'

/** What an endpoint gets to decode a request. */
export type Decoding = {
  normalise: Normalise
  /** The time of arrival. */
  nowMs: number
  /** Older events are rejected. */
  oldestMs: number
  /** Maximum size of the decompressed body. */
  limitBytes: number
}

/** A route that receives events in the format of one protocol. */
export type IngestEndpoint<Item extends object> = {
  name: string
  path: string
  auth: RouteAuth
  /** Reads the body of a request and decodes it into items. @throws HttpError if the whole body is invalid */
  decode(request: FastifyRequest, decoding: Decoding): Promise<Batch<Item>>
  /** Responds once the events are durable. @throws HttpError if rejected items are an error in the protocol */
  success(collected: Collected, request: FastifyRequest, reply: FastifyReply): unknown
  /** Sends the status and message of an error in the protocol's format. Default: the format of other routes. */
  failure?(error: HttpError, request: FastifyRequest, reply: FastifyReply): FastifyReply
}

export type IngestContext = Pick<Context, 'config' | 'settings' | 'events' | 'normalise'>

/**
 * Converts an endpoint to a plugin. It decodes a request, collects and stores the events, and responds, in this order.
 * Valid events are durable before the response, even if other items of the request are rejected.
 */
export function defineIngestEndpoint<Item extends object>({
  name,
  path,
  auth,
  decode,
  success,
  failure,
}: IngestEndpoint<Item>): FastifyPluginAsync<{ context: IngestContext }> {
  const plugin: FastifyPluginAsync<{ context: IngestContext }> = async (fastify, { context }) => {
    const { config, settings, events, normalise } = context
    const limitBytes = config.ingestLimitBytes
    await fastify.register(async scope => {
      acceptAnyBody(scope)
      scope.post(path, { config: { auth } }, async (request, reply) => {
        try {
          const nowMs = Date.now()
          const ageLimit = ageLimitOf(settings, nowMs)
          const { oldestMs } = ageLimit
          const batch = await decode(request, { normalise, nowMs, oldestMs, limitBytes })
          const collected = await collectEvents(batch, { limitBytes, ...ageLimit })
          await storeEvents(collected, batch.requestKey?.(), events)
          return await success(collected, request, reply)
        } catch (error) {
          if (failure === undefined || !(error instanceof HttpError)) throw error
          return failure(error, request, reply.code(error.statusCode).headers(error.headers))
        }
      })
    })
  }
  return fastifyPlugin(plugin, { name, fastify: '5.x', dependencies: ['headers', 'cross-site'] })
}

/**
 * Stores the events of one request, all or none. Resolves when they are durable.
 * @throws HttpError 429 or 503 with `Retry-After` if nothing was stored
 */
export async function storeEvents(
  { events, sizeBytes, rejected, ignored }: Pick<Collected, 'events' | 'sizeBytes' | 'rejected' | 'ignored'>,
  requestKey: string | undefined,
  queue: Pick<Events, 'accept' | 'countRejected' | 'countIgnored'>,
): Promise<void> {
  await queue.accept(events, sizeBytes, requestKey).catch((error: unknown) => {
    throw toHttpError(error)
  })
  queue.countRejected(rejected)
  queue.countIgnored(ignored)
}

function toHttpError(error: unknown): HttpError {
  const advice = 'Nothing of this request was stored: send it again.'
  if (error instanceof QueueFullError) {
    const headers = { 'retry-after': error.retryAfterSeconds }
    return new HttpError(429, `The event queue is full. ${advice}`, headers)
  }
  // The queue logs the cause. Clients must not see it.
  return new HttpError(503, `The events could not be stored. ${advice}`, { 'retry-after': 5 })
}

/**
 * Returns an idempotency key derived from a request's content, so that a retry after a lost response is not stored again.
 * Identical requests count as one, so the content must include a time or an id.
 */
export function requestKeyOf(...parts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(`${part.length} `).update(part)
  return hash.digest('base64url').slice(0, 22)
}
