import type { FastifyReply } from 'fastify'

/**
 * Calls a function once, when the response is complete or its connection has closed. Node emits no `close` event for a
 * response that waits for an earlier one on the same connection, so the socket's event is needed, too.
 */
export function onceClosed({ raw, request }: FastifyReply, listener: () => void): void {
  const { socket } = request.raw
  let isClosed = false
  const run = () => {
    // When the socket closes, the response can emit `close` first. The socket then still calls this listener, although it has
    // just been removed.
    if (isClosed) return
    isClosed = true
    raw.off('close', run)
    socket.off('close', run)
    listener()
  }
  if (socket.destroyed) run()
  else {
    // A client can pipeline more requests than Node's default listener limit allows.
    socket.setMaxListeners(0)
    raw.once('close', run)
    socket.once('close', run)
  }
}
