import type { Server } from 'node:http'
import type { Socket } from 'node:net'

export type DrainTimes = {
  /** How long clients may send further requests on open connections. Log shippers send one per second. */
  drainMs: number
  /** Time limit for a connection without a request. Browsers open some connections in advance. */
  unusedMs: number
  /** Time limit for requests in progress, so that the store can close before the container engine sends SIGKILL. */
  requestsMs: number
}

export const drainTimes: DrainTimes = { drainMs: 1500, unusedMs: 500, requestsMs: 6500 }

/** Tracks a server's connections, so that a shutdown does not reset connections in use. */
export function followConnections(server: Server, times: DrainTimes = drainTimes) {
  /** The number of requests in progress per connection. */
  const open = new Map<Socket, number>()
  let onEmpty = () => {}
  server.on('connection', (socket: Socket) => {
    open.set(socket, 0)
    socket.once('close', () => {
      open.delete(socket)
      if (open.size === 0) onEmpty()
    })
  })
  server.on('request', ({ socket }, response) => {
    const count = (change: number) => {
      const requests = open.get(socket)
      if (requests !== undefined) open.set(socket, requests + change)
    }
    count(1)
    response.once('close', () => count(-1))
  })
  const destroy = (matches: (requests: number) => boolean) => {
    for (const [socket, requests] of open) if (matches(requests)) socket.destroy()
  }

  return {
    /** Waits until clients have closed all connections, `drainMs` has passed, or `forceStop` aborts. */
    async drain(forceStop: AbortSignal): Promise<void> {
      if (open.size === 0 || forceStop.aborted) return
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, times.drainMs)
        onEmpty = () => {
          clearTimeout(timer)
          resolve()
        }
        forceStop.addEventListener('abort', () => onEmpty(), { once: true })
      })
    },
    /** Closes the server with `closeServer`, and closes connections that would delay this for too long. */
    async close(closeServer: () => PromiseLike<void>, forceStop: AbortSignal): Promise<void> {
      const cutOff = () => destroy(() => true)
      const timers = [
        setTimeout(() => destroy(requests => requests === 0), times.unusedMs),
        setTimeout(cutOff, times.requestsMs),
      ]
      forceStop.addEventListener('abort', cutOff, { once: true })
      const closed = closeServer()
      if (forceStop.aborted) cutOff()
      await closed
      for (const timer of timers) clearTimeout(timer)
    },
  }
}
