import { paths } from '../../shared/paths.ts'
import { type StartedServer, startServer } from '../test/server.ts'
import type { Check, Result } from './check.ts'
import { type LargeBody, lineBodies } from './line-bodies.ts'
import { post } from './post.ts'

const limitMs = 50

/** Large bodies of every kind arrive, one or four at a time. Every turn of the server's event loop must be short. */
export const eventLoop: Check = {
  run: async isShort => {
    const server = await startServer({
      NODE_OPTIONS: `--import=${new URL('measured-loop.mjs', import.meta.url)}`,
      SIXPANE_BROWSER_ORIGINS: 'http://shop.example',
    })
    try {
      const bodies = isShort ? lineBodies(500_000) : await allBodies()
      await longestTurn(server)
      const results: Result[] = []
      for (const body of bodies) {
        for (const clients of [1, 4]) results.push(await sendAtOnce(body, clients, server))
      }
      return results
    } finally {
      await server.stop()
    }
  },
}

/** Imports the modules on demand, because a short run does not need the encoders of all protocols. */
async function allBodies(): Promise<LargeBody[]> {
  const { largeBodies, largeSourceMap } = await import('./large-bodies.ts')
  const { sentryBodies } = await import('./sentry-bodies.ts')
  return [...largeBodies(14_000_000), ...sentryBodies(14_000_000), largeSourceMap(60_000_000)]
}

async function sendAtOnce(large: LargeBody, clients: number, server: StartedServer): Promise<Result> {
  const { name, path, body, headers, method } = large
  const statuses = await Promise.all(
    Array.from({ length: clients }, () => post(server.origin + path, body, headers, method)),
  )
  const { cpuMs, elapsedMs } = await longestTurn(server)
  return {
    name: `longest turn of the event loop, ${clients} × ${name}`,
    value: `${Math.round(cpuMs)} ms of CPU time, ${Math.round(elapsedMs)} ms elapsed (${statuses.join(', ')})`,
    goal: `≤ ${limitMs} ms of CPU time`,
    isMet: cpuMs <= limitMs,
    isTimed: true,
  }
}

/** Returns the duration of the longest turn since the previous call. */
async function longestTurn(server: StartedServer): Promise<{ cpuMs: number; elapsedMs: number }> {
  // Waits for the current turn to end, so that the measurement includes it.
  await (await fetch(server.origin + paths.livez())).arrayBuffer()
  const linesBefore = server.lines.length
  server.process.kill('SIGUSR2')
  const { cpuMs, elapsedMs } = await server.line(
    line => line.msg === 'Longest turn' && server.lines.indexOf(line) >= linesBefore,
  )
  return { cpuMs: Number(cpuMs), elapsedMs: Number(elapsedMs) }
}
