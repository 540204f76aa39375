import type { FastifyReply } from 'fastify'

export type RequestLifetime = {
  /** Aborts when the visitor disconnects. */
  signal: AbortSignal
  /** Whether the visitor has disconnected, so nobody would receive a response. */
  isDisconnected(): boolean
  end(): void
}

/** Aborts the work for a request when its connection closes. Call `end()` when the work is done. */
export function startLifetime(reply: FastifyReply): RequestLifetime {
  const controller = new AbortController()
  const disconnect = () => controller.abort(new Error('The visitor disconnected'))
  reply.raw.once('close', disconnect)
  return {
    signal: controller.signal,
    isDisconnected: () => reply.raw.destroyed,
    end: () => void reply.raw.off('close', disconnect),
  }
}
