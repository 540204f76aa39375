import { setTimeout } from 'node:timers/promises'
import { paths } from '../../shared/paths.ts'
import { type StartedServer, startServer } from '../test/server.ts'
import type { Check, Result } from './check.ts'
import { withStore } from './seeded-store.ts'

const ingestLinesPerSecond = 2000
const ingestBatchesPerSecond = 10

type Load = {
  /** Searches per second with status 200. */
  goodput: number
  /** The number of responses by status. */
  statuses: Map<number, number>
  homeMs: number[]
  /** The number of home page loads with a status other than 200. */
  homeFailures: number
  /** Acknowledged lines as a fraction of sent lines. */
  acknowledged: number
}

/**
 * Many people search for different text at the same time, while events arrive and somebody else opens the home page.
 * Searches beyond the capacity get status 503. No request fails in any other way, and other visitors are not affected.
 */
export const overload: Check = {
  run: isShort =>
    withStore(isShort ? 5_000 : 1_000_000, async folder => {
      const server = await startServer({}, { folder })
      try {
        // Even in a short run, every searcher completes at least one search.
        const durationMs = isShort ? 200 : 30_000
        await search(server, 2, isShort ? 100 : 1000)
        const few = await search(server, 4, durationMs)
        const many = await search(server, 50, durationMs)
        return resultsOf(few, many)
      } finally {
        await server.stop()
      }
    }),
}

function resultsOf(few: Load, many: Load): Result[] {
  const ratio = many.goodput / few.goodput
  const failures = [...many.statuses, ...few.statuses]
    .filter(([status]) => status !== 200 && status !== 503)
    .reduce((sum, [, count]) => sum + count, 0)
  const homeP95Ms = percentile(many.homeMs, 0.95)
  const formatMs = (ms: number) => `${Math.round(ms)} ms`
  return [
    {
      name: 'search responses with a status other than 200 or 503',
      value: `${failures} (with 50 searchers: ${[...many.statuses].map(([status, count]) => `${count} × ${status}`).join(', ')})`,
      goal: '0',
      isMet: failures === 0,
    },
    {
      name: 'searches answered per second, with 50 and 4 searchers',
      value: `${many.goodput.toFixed(1)} and ${few.goodput.toFixed(1)} (${Math.round(ratio * 100)}%)`,
      goal: '≥ 80%',
      isMet: ratio >= 0.8,
      isTimed: true,
    },
    {
      name: 'failed home page loads for another visitor',
      value: String(few.homeFailures + many.homeFailures),
      goal: '0',
      isMet: few.homeFailures + many.homeFailures === 0,
    },
    {
      name: 'home page load time for another visitor, 95th percentile',
      value: `${formatMs(homeP95Ms)} (${formatMs(percentile(few.homeMs, 0.95))} with 4 searchers)`,
      goal: '≤ 500 ms',
      isMet: homeP95Ms <= 500,
      isTimed: true,
    },
    {
      name: `lines acknowledged, of ${ingestLinesPerSecond} per second`,
      value: `${Math.round(many.acknowledged * 100)}%`,
      goal: '≥ 80%',
      isMet: many.acknowledged >= 0.8,
      isTimed: true,
    },
  ]
}

async function search({ origin }: StartedServer, searchers: number, durationMs: number): Promise<Load> {
  const endMs = performance.now() + durationMs
  const isRunning = () => performance.now() < endMs
  const statuses = new Map<number, number>()
  let unique = 0
  const visit = async (path: string) => {
    const response = await fetch(origin + path, { headers: { accept: 'text/html' } })
    await response.arrayBuffer()
    return response
  }

  const searchAgain = async () => {
    while (isRunning()) {
      const { status, headers } = await visit(`/activities?range=7d&q=%22text+${unique++}+of+${searchers}%22`)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status === 503) await setTimeout(Number(headers.get('retry-after')) * 1000)
    }
  }
  const homeMs: number[] = []
  let homeFailures = 0
  const openHome = async () => {
    while (isRunning()) {
      const startedMs = performance.now()
      if ((await visit(`/?n=${unique++}`)).status !== 200) homeFailures += 1
      homeMs.push(performance.now() - startedMs)
      await setTimeout(250)
    }
  }
  let [sent, acknowledged] = [0, 0]
  const posts: Promise<void>[] = []
  const line = JSON.stringify({ level: 30, name: 'load', msg: 'request completed' })
  const linesPerBatch = ingestLinesPerSecond / ingestBatchesPerSecond
  const post = async () => {
    sent += 1
    const body = `${line}\n`.repeat(linesPerBatch)
    if ((await fetch(origin + paths.ingest(), { method: 'POST', body })).ok) acknowledged += 1
  }
  const ingest = async () => {
    while (isRunning()) {
      posts.push(post())
      await setTimeout(1000 / ingestBatchesPerSecond)
    }
  }

  await Promise.all([openHome(), ingest(), ...Array.from({ length: searchers }, searchAgain)])
  await Promise.all(posts)
  const goodput = ((statuses.get(200) ?? 0) * 1000) / durationMs
  return { goodput, statuses, homeMs, homeFailures, acknowledged: acknowledged / sent }
}

function percentile(values: readonly number[], fraction: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? Number.NaN
}
