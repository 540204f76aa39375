import type { FastifyReply, FastifyRequest } from 'fastify'
import { onceClosed } from './once-closed.ts'

/** Returns a signal that aborts if the connection closes before the response is complete, to stop unneeded work. */
export function disconnectSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  onceClosed(reply, () => {
    if (!reply.raw.writableFinished) controller.abort(new Error('The visitor disconnected'))
  })
  return controller.signal
}

/** Whether the connection is closed. Works even if the response waits for an earlier one on the same connection. */
export function hasDisconnected({ raw }: Pick<FastifyRequest, 'raw'>): boolean {
  return raw.socket.destroyed
}
