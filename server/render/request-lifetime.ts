import type { FastifyReply } from 'fastify'

export type RequestLifetime = {
  /** Aborts when the visitor disconnects or the deadline passes. */
  signal: AbortSignal
  /** Whether the visitor disconnected, so that nobody would receive a response. */
  isDisconnected(): boolean
  end(): void
}

/** Limits the work for a request to its connection and a deadline. Call `end()` when the work is done. */
export function startLifetime(reply: FastifyReply, deadlineMs: number): RequestLifetime {
  const controller = new AbortController()
  const deadline = setTimeout(
    () => controller.abort(new Error(`The page was not ready after ${deadlineMs} ms`)),
    deadlineMs,
  )
  const disconnect = () => controller.abort(new Error('The visitor disconnected'))
  reply.raw.once('close', disconnect)
  return {
    signal: controller.signal,
    isDisconnected: () => reply.raw.destroyed,
    end() {
      clearTimeout(deadline)
      reply.raw.off('close', disconnect)
    },
  }
}
