import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { pluralise } from '../../shared/format.ts'
import { clientOf } from '../http/client-address.ts'
import { HttpError } from '../http/http-error.ts'

/**
 * Limits the requests per second from one sender to the scope's endpoint. A valid token identifies the sender. All other
 * requests are counted by address, and also by their DSN key, because clients can make up tokens, and keys are public.
 * Counts only the 5,000 most recent senders, to limit memory.
 * @returns a function that throws an HttpError 429 if the limit is exceeded. Call it before reading the body.
 */
export async function createRequestRate(
  scope: FastifyInstance,
  maxPerSecond: number,
): Promise<(request: FastifyRequest) => Promise<void>> {
  const keyGenerator = (request: FastifyRequest) => `${request.token?.id} ${clientOf(request)}`
  await scope.register(rateLimit, { global: false })
  // Set every option, because another rate limit in the scope may have changed the defaults.
  const count = scope.createRateLimit({ max: maxPerSecond, timeWindow: 1000, keyGenerator, allowList: [] })
  return async request => {
    const counted = await count(request)
    if (counted.isAllowed || !counted.isExceeded) return
    const message = `More than ${pluralise(maxPerSecond, 'request')} per second. Nothing from this request was stored. Send it again, and combine more events into each request.`
    throw new HttpError(429, message, { 'retry-after': counted.ttlInSeconds })
  }
}
