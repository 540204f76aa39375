import { readdir } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { paths } from '../../shared/paths.ts'
import { type StartedServer, startServer } from '../test/server.ts'
import type { Check } from './check.ts'
import { residentMb } from './memory.ts'
import { withStore } from './seeded-store.ts'

const pages = ['/', '/activities', '/activities?q=completed', '/dashboard', '/development', '/settings']
const linesPerSecond = 4000
const requestsPerSecond = 20

type Sample = { seconds: number; residentMb: number; files: number }

/** Events and visitors arrive for a long time at a fraction of the peak rate. Memory and open files must not grow. */
export const soak: Check = {
  run: isShort =>
    withStore(0, async folder => {
      const server = await startServer({}, { folder })
      try {
        const durationMs = isShort ? 2000 : 20 * 60_000
        const { samples, failed } = await use(server, durationMs)
        // Only the second half counts, because the engine's cache and optimised code grow at first.
        const settled = samples.slice(Math.floor(samples.length / 2))
        const [memory, files] = [slopePerMinute(settled, 'residentMb'), slopePerMinute(settled, 'files')]
        const last = settled.at(-1)
        return [
          { name: 'failed requests', value: String(failed), goal: '0', isMet: failed === 0 },
          {
            name: 'resident memory growth in the second half',
            value: `${memory.toFixed(2)} MB per minute (${last?.residentMb} MB at the end)`,
            goal: '≤ 2 MB per minute',
            isMet: memory <= 2,
            isTimed: true,
          },
          {
            name: 'open file growth in the second half',
            value: `${files.toFixed(2)} per minute (${last?.files} at the end)`,
            goal: '≤ 0.2 per minute',
            isMet: files <= 0.2,
            isTimed: true,
          },
        ]
      } finally {
        await server.stop()
      }
    }),
}

async function use(server: StartedServer, durationMs: number) {
  const { origin } = server
  const startMs = performance.now()
  const isRunning = () => performance.now() - startMs < durationMs
  let failed = 0
  const count = async (request: Promise<Response>) => {
    const response = await request
    await response.arrayBuffer()
    if (!response.ok) failed += 1
  }
  const ingest = async () => {
    for (let request = 0; isRunning(); request += 1) {
      const line = JSON.stringify({
        level: 30,
        name: 'soak',
        reqId: `r${request}`,
        msg: `step ${request} completed`,
      })
      await count(
        fetch(origin + paths.ingest(), {
          method: 'POST',
          body: `${line}\n`.repeat(linesPerSecond / requestsPerSecond),
        }),
      )
      await setTimeout(1000 / requestsPerSecond)
    }
  }
  const visit = async () => {
    for (let request = 0; isRunning(); request += 1) {
      await count(fetch(origin + pages[request % pages.length]))
      await setTimeout(200)
    }
  }
  const samples: Sample[] = []
  const sample = async () => {
    while (isRunning()) {
      samples.push({ seconds: (performance.now() - startMs) / 1000, ...(await usageOf(server)) })
      await setTimeout(durationMs / 200)
    }
  }
  await Promise.all([ingest(), visit(), sample()])
  return { samples, failed }
}

async function usageOf(server: StartedServer): Promise<Omit<Sample, 'seconds'>> {
  const files = await readdir(`/proc/${server.process.pid}/fd`)
  return { residentMb: (await residentMb(server)).now, files: files.length }
}

/** Returns the slope of the least-squares regression line. */
function slopePerMinute(samples: readonly Sample[], key: 'residentMb' | 'files'): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const meanX = mean(samples.map(({ seconds }) => seconds))
  const meanY = mean(samples.map(sample => sample[key]))
  const covariance = samples.reduce(
    (sum, sample) => sum + (sample.seconds - meanX) * (sample[key] - meanY),
    0,
  )
  const variance = samples.reduce((sum, { seconds }) => sum + (seconds - meanX) ** 2, 0)
  return (covariance / variance) * 60
}
