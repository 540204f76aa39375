import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../client/cli/local-server.ts'
import { paths, sentryPaths } from '../../shared/paths.ts'
import { installManifest } from '../install-package.mjs'
import { type StartedServer, startServer } from '../test/server.ts'
import type { Check } from './check.ts'
import { withStore } from './seeded-store.ts'

const service = 'sdk'
const manifest = JSON.stringify({ private: true, dependencies: { '@sentry/node': '11.12.0' } })
const program = fileURLToPath(new URL('sentry-sdk.mjs', import.meta.url))

/**
 * Kills the server twice while Sentry's SDK sends events. Every event that the SDK considers delivered must be stored exactly
 * once. The SDK does not retry, so it loses events while the server is down.
 */
export const sentry: Check = {
  run: isShort =>
    withStore(0, async folder => {
      const count = isShort ? 300 : 10_000
      const sdk = await installManifest('sentry-node-11', manifest)
      const port = String(await freePort())
      const start = () => startServer({ PORT: port }, { folder })
      let server = await start()
      const restart = async () => {
        await server.kill()
        server = await start()
      }
      const dsn = sentryPaths.dsn(server.origin, 'key', service)
      const delivered = await send(
        [sdk, dsn, String(count)],
        [Math.floor(count / 3), Math.floor((2 * count) / 3)],
        restart,
      )
      const stored = await storedEventIds(server)
      await server.stop()
      const lost = delivered.filter(id => !stored.has(id)).length
      const repeated = [...stored.values()].filter(times => times > 1).length
      return [
        {
          name: `events lost or repeated, of ${delivered.length} that the SDK considers delivered, after 2 kills`,
          value: `${lost}; ${repeated}`,
          goal: '0; 0',
          isMet: lost + repeated === 0 && delivered.length > 0,
        },
        {
          name: 'events that the SDK itself lost while the server was down',
          value: `${count - delivered.length} of ${count}`,
          goal: 'no limit',
          isMet: true,
        },
      ]
    }),
}

/**
 * Runs sentry-sdk.mjs. Calls `restart` each time the number of captured exceptions reaches one of the numbers in `restartAt`.
 * Returns the ids of the delivered events.
 */
async function send(
  args: string[],
  restartAt: readonly number[],
  restart: () => Promise<void>,
): Promise<string[]> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  let restarting = Promise.resolve()
  const delivered: string[] = []
  for await (const text of createInterface({ input: child.stdout })) {
    const line: { captured?: number; delivered?: string } = JSON.parse(text)
    if (line.captured !== undefined && restartAt.includes(line.captured))
      restarting = restarting.then(restart)
    if (line.delivered !== undefined) delivered.push(line.delivered)
  }
  await restarting
  return delivered
}

/** Counts the stored events by the id that the SDK gave them. */
async function storedEventIds({ origin }: StartedServer): Promise<Map<string, number>> {
  const response = await fetch(origin + paths.export({ q: `service:${service}`, format: 'ndjson' }))
  const counts = new Map<string, number>()
  for (const line of (await response.text()).split('\n')) {
    if (line === '') continue
    const event: { attributes: { event_id: string } } = JSON.parse(line)
    counts.set(event.attributes.event_id, (counts.get(event.attributes.event_id) ?? 0) + 1)
  }
  return counts
}
