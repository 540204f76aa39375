import type { FastifyReply } from 'fastify'

/** Aborts when the connection of a request closes, so that work for a client that has disconnected can stop. */
export function disconnectSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  reply.raw.once('close', () => controller.abort(new Error('The visitor disconnected')))
  return controller.signal
}
