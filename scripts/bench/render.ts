import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { paths } from '../../shared/paths.ts'
import { type Frameworks, frameworkNames, startFrameworks } from './frameworks.ts'
import { load } from './load.ts'
import { measureMedians, median } from './median.ts'
import { fetchPage, uniqueUrl } from './page-request.ts'
import type { Bench, Part } from './part.ts'
import { cpuMs } from './process-stats.ts'
import { type Served, serve, serveSixpane } from './processes.ts'
import type { Measurement } from './rows.ts'
import { copyStore, seed } from './stores.ts'
import { loadWhileWriting } from './writing-load.ts'

const path = paths.dashboard({ range: { span: '7d' } })
const minuteMs = 60_000
const dayMs = 86_400_000

/** Measures the dashboard, frameworks that render the same elements, and a server that only sends a prepared page. */
export const render: Part = {
  async run(bench) {
    const store = await seed(join(bench.folder, 'render'), bench.isShort ? 1000 : 50_000)
    const ready = await serve(['dist/bench/render-server.js'], {
      env: { SIXPANE_DATA: await copyStore(store, join(bench.folder, 'ready')) },
    })
    const own = await serveSixpane(store)
    const page = await fetchPage(ready.origin, path)
    const bare = await serveBare(bench.folder, page)
    const frameworks = bench.isShort
      ? null
      : await startFrameworks(page, bench.report).catch((error: unknown) => {
          bench.report(`Measuring without the frameworks: ${error}`)
          return null
        })

    const measurements = await measure(bench, { ready, own, bare }, frameworks?.urls ?? null)
    for (const { stop } of [ready, own, bare, ...(frameworks?.servers ?? [])]) await stop()
    return measurements
  },
}

/** Starts Fastify with a page that is already rendered and compressed, as the upper bound. */
async function serveBare(folder: string, page: string): Promise<Served> {
  const file = join(folder, 'page.gz')
  await writeFile(file, gzipSync(page, { level: 1 }))
  return serve(['scripts/bench/bare-fastify.mjs', file])
}

async function measure(
  { rounds, isShort }: Bench,
  { ready, own, bare }: Record<'ready' | 'own' | 'bare', Served>,
  frameworks: Frameworks | null,
): Promise<Measurement[]> {
  const loadUrl = (url: string) => {
    const { origin, pathname, search } = new URL(url)
    return load({ origin, path: () => pathname + search, isShort })
  }
  const loadFramework = (name: keyof Frameworks) => async () =>
    frameworks === null ? Number.NaN : loadUrl(frameworks[name])
  const otherWindow = createWindows()
  const renders: number[] = []
  const rate = await measureMedians(rounds, {
    bare: () => loadUrl(`${bare.origin}/dashboard`),
    unchanged: () => loadUrl(own.origin + path),
    ready: () => load({ origin: ready.origin, path: () => uniqueUrl(path), isShort }),
    queried: () => load({ origin: own.origin, path: otherWindow, isShort }),
    nextServer: loadFramework('nextServer'),
    nextClient: loadFramework('nextClient'),
    reactRouter: loadFramework('reactRouter'),
    tanStack: loadFramework('tanStack'),
    committing: async () => {
      const measured = await loadWhileWriting(own.origin, path, isShort)
      renders.push(measured.renders)
      return measured.requests
    },
  })

  /** Returns the rates of these frameworks as references, or none if the frameworks did not start. */
  const comparedWith = (...names: (keyof Frameworks)[]) =>
    frameworks === null
      ? {}
      : { references: names.map(name => ({ name: frameworkNames[name], value: rate(name) })) }
  return [
    { id: 'readyToNextServer', value: rate('ready'), ...comparedWith('nextServer') },
    { id: 'readyToNextClient', value: rate('ready'), ...comparedWith('nextClient') },
    { id: 'readyToOthers', value: rate('ready'), ...comparedWith('reactRouter', 'tanStack') },
    { id: 'queried', value: rate('queried'), ...comparedWith('nextServer') },
    { id: 'committing', value: rate('committing'), ...comparedWith('nextServer') },
    { id: 'committingRenders', value: median(renders) },
    {
      id: 'unchanged',
      value: rate('unchanged'),
      references: [{ name: 'bare Fastify, prepared buffer', value: rate('bare') }],
    },
    { id: 'dashboardCpu', value: await dashboardCpuMs(own, isShort ? 2 : 200) },
  ]
}

/** Returns a function that creates dashboard URLs for different windows of five days, so that requests share no results. */
function createWindows(): () => string {
  const nowMs = Math.floor(Date.now() / minuteMs) * minuteMs
  let requests = 0
  return () => {
    requests += 1
    const toMs = nowMs - (requests % 1440) * minuteMs
    return uniqueUrl(paths.dashboard({ range: { fromMs: toMs - 5 * dayMs, toMs } }))
  }
}

async function dashboardCpuMs({ origin, pid }: Served, requests: number): Promise<number> {
  const before = await cpuMs(pid)
  for (let request = 0; request < requests; request += 1) await fetchPage(origin, uniqueUrl(path))
  return ((await cpuMs(pid)) - before) / requests
}
