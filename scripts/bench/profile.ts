import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { paths } from '../../shared/paths.ts'
import { root } from '../prepare/root.mjs'
import { type CpuProfile, createSourceFinder, type Stack, sampledStacks } from './cpu-profile.ts'
import { createLines } from './ingest-lines.ts'
import { fetchPage, uniqueUrl } from './page-request.ts'
import type { Bench } from './part.ts'
import { threadCpuMs } from './process-stats.ts'
import { serve } from './processes.ts'
import { durationsByStep, eventSteps, pageSteps, type Step } from './profile-steps.ts'
import { seed } from './stores.ts'

/** The CPU time of one page or event, by step. */
export type Breakdown = {
  title: string
  unit: string
  /** The CPU time of all threads, in microseconds. */
  totalUs: number
  steps: { name: string; durationUs: number }[]
}

type Work = {
  title: string
  unit: string
  folder: string
  steps: readonly Step[]
  /** Sends requests, and returns the number of pages or events. */
  send: (origin: string) => Promise<number>
}

const linesPerRequest = 1000
const dashboard = paths.dashboard({ range: { span: '7d' } })

/** Profiles a server while it renders dashboards, and another while it stores events. */
export async function profile({ folder, isShort }: Bench): Promise<Breakdown[]> {
  const lines = createLines(isShort ? linesPerRequest : 50 * linesPerRequest, Date.now())
  return [
    await breakDown({
      title: 'A dashboard',
      unit: 'page',
      folder: await seed(join(folder, 'profiled'), isShort ? 1000 : 50_000),
      steps: pageSteps,
      send: origin => sendPages(origin, isShort ? 2 : 200),
    }),
    await breakDown({
      title: 'An event',
      unit: 'event',
      folder: join(folder, 'profiled-ingest'),
      steps: eventSteps,
      send: origin => sendLines(origin, lines, isShort ? 2 : 300),
    }),
  ]
}

async function breakDown({ title, unit, folder, steps, send }: Work): Promise<Breakdown> {
  const profiles = `${folder}-profiles`
  await mkdir(profiles)
  const options = ['--cpu-prof', `--cpu-prof-dir=${profiles}`, '--cpu-prof-interval=250']
  const { origin, pid, stop } = await serve([...options, 'dist/server/main.js'], {
    env: { PORT: '0', SIXPANE_DATA: folder },
  })
  // The first requests are not measured, because they run unoptimised code.
  await send(origin)
  const [before, fromUs] = [await threadCpuMs(pid), monotonicUs()]
  const count = await send(origin)
  const [after, toUs] = [await threadCpuMs(pid), monotonicUs()]
  await stop()

  const { main, workers } = await readStacks(profiles, fromUs, toUs)
  // Samples also cover the time in which the thread waited for a core, so they are scaled to the measured CPU time.
  const cpuPerSample = ((after.main - before.main) * 1000) / sumOf(main)
  const durations = durationsByStep(
    [...main, ...workers].map(({ sources, durationUs }) => ({
      sources,
      durationUs: durationUs * cpuPerSample,
    })),
    steps,
  )
  const totalUs = (after.all - before.all) * 1000
  const inJavaScriptUs = sumOf([...main, ...workers]) * cpuPerSample
  durations.set('engine and Node threads', Math.max(0, totalUs - inJavaScriptUs))
  return {
    title,
    unit,
    totalUs: totalUs / count,
    steps: [...durations]
      .map(([name, durationUs]) => ({ name, durationUs: durationUs / count }))
      .toSorted((a, b) => b.durationUs - a.durationUs),
  }
}

/** Reads the profiles. Node writes one per JavaScript thread, to a file whose name ends with the thread's id and a counter. */
async function readStacks(folder: string, fromUs: number, toUs: number) {
  const sourceOf = await createSourceFinder(join(root, 'dist/server'))
  const stacks: Record<'main' | 'workers', Stack[]> = { main: [], workers: [] }
  for (const name of await readdir(folder)) {
    const read: CpuProfile = JSON.parse(await readFile(join(folder, name), 'utf8'))
    const thread = /\.0\.\d+\.cpuprofile$/.test(name) ? 'main' : 'workers'
    stacks[thread].push(...sampledStacks(read, fromUs, toUs, sourceOf))
  }
  return stacks
}

function sumOf(stacks: readonly Stack[]): number {
  return stacks.reduce((sum, { durationUs }) => sum + durationUs, 0)
}

/** Returns the time of the monotonic clock, which CPU profiles use. */
function monotonicUs(): number {
  return Number(process.hrtime.bigint() / 1000n)
}

async function sendPages(origin: string, count: number): Promise<number> {
  for (let page = 0; page < count; page += 1) await fetchPage(origin, uniqueUrl(dashboard))
  return count
}

async function sendLines(origin: string, lines: readonly string[], requests: number): Promise<number> {
  let sent = 0
  const sendNext = async (): Promise<void> => {
    while (sent < requests) {
      const from = (sent * linesPerRequest) % lines.length
      sent += 1
      const response = await fetch(origin + paths.ingest(), {
        method: 'POST',
        headers: { 'content-type': 'application/x-ndjson' },
        body: lines.slice(from, from + linesPerRequest).join('\n'),
      })
      if (!response.ok) throw new Error(`Ingest returned status ${response.status}`)
    }
  }
  await Promise.all(Array.from({ length: 8 }, sendNext))
  return requests * linesPerRequest
}
