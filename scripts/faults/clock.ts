import { paths } from '../../shared/paths.ts'
import { type StartedServer, startServer } from '../test/server.ts'
import type { Check } from './check.ts'
import { withStore } from './seeded-store.ts'
import { storedMessages } from './stored-messages.ts'

const dayMs = 86_400_000
const jumpsMs = [2 * dayMs, -4 * dayMs, dayMs + 3_600_000]
const screens = [paths.home(), paths.activities(), paths.dashboard(), paths.development(), paths.settings()]

/**
 * The system clock jumps forwards and backwards while events arrive. All events are stored, and every screen that reads
 * stored data opens.
 */
export const clock: Check = {
  run: () =>
    withStore(0, async folder => {
      const server = await startServer(
        {
          CLOCK_JUMPS_MS: jumpsMs.join(','),
          NODE_OPTIONS: `--import=${new URL('jumping-clock.mjs', import.meta.url)}`,
        },
        { folder },
      )
      try {
        let failedPages = 0
        const visit = async (path: string) => {
          const response = await fetch(server.origin + path)
          await response.arrayBuffer()
          if (!response.ok) failedPages += 1
        }
        const expected: string[] = []
        for (let jump = 0; jump <= jumpsMs.length; jump += 1) {
          for (let index = 0; index < 20; index += 1) {
            const msg = `${jump}-${index}`
            await server.send({ name: 'clock', msg })
            expected.push(msg)
          }
          for (const path of screens) await visit(path)
          await jumpClock(server)
        }
        const stored = await storedMessages(server, 'clock', { fromMs: 0, toMs: Date.now() + 10 * dayMs })
        const wrong = expected.filter(message => stored.get(message) !== 1).length
        return [
          {
            name: `events lost or stored twice, of ${expected.length}`,
            value: String(wrong),
            goal: '0',
            isMet: wrong === 0,
          },
          { name: 'failed pages', value: String(failedPages), goal: '0', isMet: failedPages === 0 },
        ]
      } finally {
        await server.stop()
      }
    }),
}

/** Makes the server's clock jump. Resolves after the jump, because the server handles the signal before the request. */
async function jumpClock({ process, origin }: StartedServer): Promise<void> {
  process.kill('SIGUSR2')
  await fetch(origin + paths.livez())
}
