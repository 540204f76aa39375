import type { FastifyReply } from 'fastify'

/** Returns a signal that aborts when the request's connection closes, to stop work for a disconnected client. */
export function disconnectSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  reply.raw.once('close', () => controller.abort(new Error('The visitor disconnected')))
  return controller.signal
}
