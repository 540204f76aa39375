import type { FastifyReply } from 'fastify'

export type Visit = {
  /** Aborts when the visitor goes away or the deadline passes. */
  signal: AbortSignal
  /** The visitor has gone: nobody is there to read an answer. */
  gone(): boolean
  end(): void
}

export function visitOf(reply: FastifyReply, deadlineMs: number): Visit {
  const controller = new AbortController()
  const deadline = setTimeout(
    () => controller.abort(new Error(`The page was not ready after ${deadlineMs} ms`)),
    deadlineMs,
  )
  const leave = () => controller.abort(new Error('The visitor has gone'))
  reply.raw.once('close', leave)
  return {
    signal: controller.signal,
    gone: () => reply.raw.destroyed,
    end() {
      clearTimeout(deadline)
      reply.raw.off('close', leave)
    },
  }
}
