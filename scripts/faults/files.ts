import { connect, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { paths } from '../../shared/paths.ts'
import { type StartedServer, startServer } from '../test/server.ts'
import type { Check } from './check.ts'
import { withStore } from './seeded-store.ts'
import { storedMessages } from './stored-messages.ts'

const maxFiles = 100
const maxAttempts = 50

/** Connections use up the server's file descriptors. Once they close, the server works again without a restart. */
export const files: Check = {
  run: () =>
    withStore(0, async folder => {
      const server = await startServer({}, { folder, maxFiles })
      try {
        const sockets = Array.from({ length: maxFiles * 2 }, () => openSocket(server.origin))
        let acknowledged = 0
        for (let index = 0; index < 20; index += 1) {
          const body = JSON.stringify({ name: 'files', msg: String(index) })
          const request = { method: 'POST', body, signal: AbortSignal.timeout(500) }
          const response = await fetch(server.origin + paths.ingest(), request).catch(() => null)
          if (response?.ok) acknowledged += 1
        }
        for (const socket of sockets) socket.destroy()

        await sendUntilStored(server)
        const page = await fetch(server.origin + paths.home())
        const ready = await fetch(server.origin + paths.readyz())
        const stored = await storedMessages(server, 'files')
        const hasRecovered = page.ok && ready.ok && stored.has('after')
        return [
          {
            name: `after ${maxFiles * 2} connections with ${maxFiles} file descriptors`,
            value: `${hasRecovered ? 'works again' : `pages ${page.status}, probe ${ready.status}`}`,
            goal: 'works again without a restart',
            isMet: hasRecovered,
          },
          {
            name: 'acknowledged events lost',
            value: String(Math.max(0, acknowledged + 1 - stored.size)),
            goal: '0',
            isMet: stored.size > acknowledged,
          },
        ]
      } finally {
        await server.stop()
      }
    }),
}

/** Retries, because the server resets new connections until it has detected that the old ones are closed. */
async function sendUntilStored(server: StartedServer): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await server.send({ name: 'files', msg: 'after' })
    } catch (error) {
      if (attempt === maxAttempts) throw error
    }
    await setTimeout(100)
  }
}

function openSocket(origin: string): Socket {
  const { hostname, port } = new URL(origin)
  // The server may close the connection.
  return connect(Number(port), hostname).on('error', () => {})
}
