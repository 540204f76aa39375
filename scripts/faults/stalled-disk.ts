import { execFile } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { paths } from '../../shared/paths.ts'
import { type StartedServer, startServer } from '../test/server.ts'
import type { Check, Result } from './check.ts'
import { residentMb } from './memory.ts'
import { withStore } from './seeded-store.ts'
import { storedMessages } from './stored-messages.ts'

const source = fileURLToPath(new URL('stalled-disk.c', import.meta.url))
const screens = [paths.home(), paths.activities(), paths.dashboard(), paths.development(), paths.settings()]
/** Limits for response times: the server's deadlines for pages and for /readyz, with margins, and a limit for /livez. */
const [maxPageMs, maxReadyMs, maxLiveMs] = [11_000, 5500, 500]
const requestEveryMs = 100

/** Disk writes stall for several seconds. No event is lost, and everything works afterwards. */
export const stalledDisk: Check = {
  run: isShort =>
    withStore(0, async folder => {
      const library = join(folder, 'stalled-disk.so')
      const args = ['-shared', '-fPIC', '-o', library, source, '-ldl']
      const isCompiled = await promisify(execFile)('cc', args).then(
        () => true,
        () => false,
      )
      if (!isCompiled)
        return [{ name: 'skipped', value: 'no C compiler found', goal: 'Linux with cc', isMet: true }]
      const results: Result[] = []
      for (const stallMs of isShort ? [1000] : [5000, 15_000]) {
        results.push(...(await stallFor(stallMs, library, join(folder, String(stallMs)))))
      }
      return results
    }),
}

async function stallFor(stallMs: number, library: string, folder: string): Promise<Result[]> {
  const trigger = `${folder}.stalls`
  const preload = { LD_PRELOAD: library, STALL_FOLDER: folder, STALL_WHILE: trigger }
  // The thread pool has the same size as in the container image.
  const server = await startServer({ ...preload, UV_THREADPOOL_SIZE: '12' }, { folder })
  try {
    await server.send({ name: 'stall', msg: 'before' })
    const { now: beforeMb } = await residentMb(server)
    await writeFile(trigger, '')
    const until = performance.now() + stallMs
    const [ingest, live, ready, pages] = await Promise.all([
      sendUntil(server, until),
      requestUntil(server, until, [paths.livez()]),
      requestUntil(server, until, [paths.readyz()]),
      requestUntil(server, until, screens),
      setTimeout(stallMs).then(() => rm(trigger)),
    ])
    const growthMb = (await residentMb(server)).peak - beforeMb

    await server.send({ name: 'stall', msg: 'after' })
    const after = await Promise.all([...screens, paths.readyz()].map(path => statusOf(server, path)))
    const stored = await storedMessages(server, 'stall')
    const wrong = ['before', 'after', ...ingest.acknowledged].filter(message => stored.get(message) !== 1)
    const name = (text: string) => `${text}, ${stallMs / 1000} s without a write`
    return [
      {
        name: name(`events lost or repeated, of ${ingest.acknowledged.length} acknowledged`),
        value: `${wrong.length}; other statuses: ${ingest.otherStatuses.join(', ') || 'none'}`,
        goal: '0; only 429 and 503',
        isMet: wrong.length === 0 && ingest.otherStatuses.every(status => status === 429 || status === 503),
      },
      timing(name('/livez'), live, maxLiveMs, [200]),
      timing(name('/readyz'), ready, maxReadyMs, [200, 503]),
      timing(name('pages'), pages, maxPageMs, [200, 500, 503]),
      {
        name: name('page and /readyz statuses afterwards'),
        value: [...new Set(after)].join(', '),
        goal: '200',
        isMet: after.every(status => status === 200),
      },
      {
        name: name('resident memory growth'),
        value: `${growthMb} MB`,
        goal: '≤ 200 MB',
        isMet: growthMb <= 200,
        isTimed: true,
      },
    ]
  } finally {
    await rm(trigger, { force: true })
    await server.stop()
  }
}

async function sendUntil({ origin }: StartedServer, until: number) {
  const acknowledged: string[] = []
  const otherStatuses: number[] = []
  await everyUntil(until, async index => {
    const msg = String(index)
    const body = JSON.stringify({ name: 'stall', msg })
    const response = await fetch(origin + paths.ingest(), { method: 'POST', body })
    await response.arrayBuffer()
    if (response.ok) acknowledged.push(msg)
    else otherStatuses.push(response.status)
  })
  return { acknowledged, otherStatuses }
}

type Timings = { slowestMs: number; statuses: Set<number> }

async function requestUntil(
  server: StartedServer,
  until: number,
  requested: readonly string[],
): Promise<Timings> {
  const timings: Timings = { slowestMs: 0, statuses: new Set() }
  await everyUntil(until, async index => {
    const startMs = performance.now()
    timings.statuses.add(await statusOf(server, requested[index % requested.length] ?? ''))
    timings.slowestMs = Math.max(timings.slowestMs, performance.now() - startMs)
  })
  return timings
}

/** Starts requests at regular intervals, without waiting for earlier responses. */
async function everyUntil(until: number, start: (index: number) => Promise<void>): Promise<void> {
  const started: Promise<void>[] = []
  for (let index = 0; performance.now() < until; index += 1) {
    started.push(start(index))
    await setTimeout(requestEveryMs)
  }
  await Promise.all(started)
}

async function statusOf({ origin }: StartedServer, path: string): Promise<number> {
  const response = await fetch(origin + path)
  await response.arrayBuffer()
  return response.status
}

function timing(name: string, { slowestMs, statuses }: Timings, maxMs: number, expected: number[]): Result {
  const isExpected = [...statuses].every(status => expected.includes(status))
  return {
    name: `${name}: slowest response, statuses`,
    value: `${Math.round(slowestMs)} ms, ${[...statuses].sort().join(' and ')}`,
    goal: `≤ ${maxMs} ms, only ${expected.join(', ')}`,
    isMet: isExpected && slowestMs <= maxMs,
    isTimed: isExpected,
  }
}
