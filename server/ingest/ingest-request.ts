import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { NewEvent } from '../../shared/event.ts'
import { type Events, QueueFullError } from '../events/events.ts'
import { readBody } from './read-body.ts'

/** More events of one request would take more memory than the queue is allowed, however short they are. */
export const mostEvents = 100_000

/** Other requests wait no longer than this for their turn. */
const turnMs = 5

/** Makes the routes of a scope read their bodies themselves, whatever type those claim: clients label them in many ways. */
export function takeAnyBody(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
}

/**
 * The body of a request in such a scope, decompressed.
 * @throws RefusedBodyError
 */
export function bodyOf(request: FastifyRequest, limitBytes: number): Promise<Buffer> {
  const source = request.body instanceof Readable ? request.body : Readable.from([])
  return readBody(source, request.headers['content-encoding'], limitBytes)
}

/** Why the queue kept nothing of a request, and when to send it again. */
export type Refusal = { status: 429 | 503; message: string; retryAfterSeconds: number }

/**
 * Keeps the events of one request: all or none, and durable once it resolves with `null`.
 * @param sizeBytes of the body that they came in
 */
export async function keep(
  events: Pick<Events, 'accept'>,
  read: readonly NewEvent[],
  sizeBytes: number,
  requestKey?: string,
): Promise<Refusal | null> {
  return events.accept(read, sizeBytes, requestKey).then(() => null, refusalOf)
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof QueueFullError) {
    const message = 'The queue of events is full: nothing was kept, send it again'
    return { status: 429, message, retryAfterSeconds: error.retryAfterSeconds }
  }
  // Why is in the log already, once an outage; the sender only needs to know that nothing was kept.
  const message = 'The events could not be stored: nothing was kept, send it again'
  return { status: 503, message, retryAfterSeconds: 5 }
}

/**
 * Names a request by what it says, so that one which a client repeats because it heard no answer is kept once. What
 * two requests have in common to the byte, with the times that their protocol writes into every record, is one.
 * @param parts the path, the body, and what the client named the request by
 */
export function requestKeyOf(...parts: readonly (string | Buffer)[]): string {
  const sum = createHash('sha256')
  for (const part of parts) sum.update(`${part.length} `).update(part)
  return sum.digest('base64url').slice(0, 22)
}

/** Gives what long work calls between its steps, to let other requests have their turn. */
export function takingTurns(): () => Promise<void> {
  let turnedMs = performance.now()
  return async () => {
    if (performance.now() - turnedMs <= turnMs) return
    await turn()
    turnedMs = performance.now()
  }
}
