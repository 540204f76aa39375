import { setTimeout } from 'node:timers/promises'
import { paths } from '../../shared/paths.ts'
import { type StartedServer, startServer } from '../test/server.ts'
import type { Check } from './check.ts'
import { withStore } from './seeded-store.ts'
import { storedMessages } from './stored-messages.ts'

const linesPerRequest = 50
const clients = 4

/** Kills the server at a random moment while clients send events. Every acknowledged event must be stored exactly once. */
export const kills: Check = {
  run: isShort =>
    withStore(0, async folder => {
      const rounds = isShort ? 1 : 200
      const readyMs: number[] = []
      let [acknowledged, lost, repeated] = [0, 0, 0]
      for (let round = 0; round < rounds; round += 1) {
        const server = await startServer({}, { folder })
        let sent: Promise<string[]> = Promise.resolve([])
        // Wait for the first acknowledgement, which can take longer than the pause below on a busy machine.
        await new Promise<void>(resolve => {
          sent = sendUntilKilled(server, `round-${round}`, resolve)
          // If sending fails first, no acknowledgement will arrive.
          void sent.then(() => resolve())
        })
        await setTimeout(Math.random() * 500)
        await server.kill()
        const expected = await sent

        const startedMs = performance.now()
        const restarted = await startServer({}, { folder })
        readyMs.push(performance.now() - startedMs)
        const stored = await storedMessages(restarted, `round-${round}`)
        await restarted.stop()
        acknowledged += expected.length
        lost += expected.filter(message => !stored.has(message)).length
        repeated += [...stored.values()].filter(count => count > 1).length
      }
      return [
        {
          name: `acknowledged events lost, of ${acknowledged}, after ${rounds} kills`,
          value: String(lost),
          goal: '0',
          isMet: lost === 0 && acknowledged > 0,
        },
        { name: 'events stored more than once', value: String(repeated), goal: '0', isMet: repeated === 0 },
        {
          name: 'slowest start after a kill',
          value: `${Math.round(Math.max(...readyMs))} ms`,
          goal: '≤ 1,000 ms',
          isMet: Math.max(...readyMs) <= 1000,
          isTimed: true,
        },
      ]
    }),
}

/**
 * Sends events until the connection fails. Returns the messages that were acknowledged.
 * @param onAcknowledged called after each acknowledged request
 */
async function sendUntilKilled(
  { origin }: StartedServer,
  service: string,
  onAcknowledged: () => void,
): Promise<string[]> {
  const acknowledged: string[] = []
  const send = async (client: number) => {
    for (let request = 0; ; request += 1) {
      const messages = Array.from({ length: linesPerRequest }, (_, line) => `${client}-${request}-${line}`)
      const body = messages.map(msg => JSON.stringify({ name: service, msg })).join('\n')
      const response = await fetch(origin + paths.ingest(), { method: 'POST', body }).catch(() => null)
      // Only a complete response is an acknowledgement.
      const answer = await response?.text().catch(() => null)
      if (!response?.ok || answer == null) return
      acknowledged.push(...messages)
      onAcknowledged()
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, client) => send(client)))
  return acknowledged
}
