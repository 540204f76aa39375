/**
 * Measures Sixpane and the programs it is compared with, and prints one table. Compare only values from the same run.
 *
 *   npm run bench                    all parts except engines (an hour, with ten million events)
 *   npm run bench -- render ingest   only these parts
 *   npm run bench -- engines         ClickHouse (chDB, or the server in CLICKHOUSE_URL) compared with DuckDB
 *   npm run bench -- --json          the table as JSON
 *   npm run bench -- profile         the CPU time of a page and of an event, by step
 *   npm run bench -- --write         also writes the tables to docs/performance.md
 *   npm run bench -- --short         a few seconds on an existing build, without frameworks, to test the benchmark
 *   EVENTS=500000 npm run bench      a smaller store
 *   LARGEST_EVENTS=50000000 npm run bench -- growth   also measures an even larger store
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildForBench } from './bench/build.ts'
import { describeRun, goalEvents } from './bench/describe-run.ts'
import { type Section, writeToDocument } from './bench/document.ts'
import type { Bench, Part } from './bench/part.ts'
import { stopAll } from './bench/processes.ts'
import { type Breakdown, profile } from './bench/profile.ts'
import { type Measurement, rowsOf } from './bench/rows.ts'
import { createLargeStore } from './bench/stores.ts'
import { breakdownTable, markdownTable } from './bench/table.ts'

/** Each part's modules are loaded only when the part runs, because some load an entire store engine. */
const parts: Record<string, () => Promise<Part>> = {
  pages: async () => (await import('./bench/pages.ts')).pages,
  render: async () => (await import('./bench/render.ts')).render,
  search: async () => (await import('./bench/search.ts')).search,
  growth: async () => (await import('./bench/growth.ts')).growth,
  ingest: async () => (await import('./bench/ingest.ts')).ingest,
  start: async () => (await import('./bench/start.ts')).start,
  engines: async () => (await import('./bench/engines.ts')).engines,
}
const partNames = [...Object.keys(parts), 'profile']
const options = ['--short', '--json', '--write']
const args = process.argv.slice(2)
const names = args.filter(arg => !options.includes(arg))
const unknown = names.find(name => !partNames.includes(name))
if (unknown !== undefined) {
  process.stderr.write(`Unknown part ${unknown}. Parts: ${partNames.join(', ')}\n`)
  process.exit(2)
}

const isShort = args.includes('--short')
const events = Number(process.env.EVENTS ?? (isShort ? 10_000 : goalEvents))
const folder = await mkdtemp(join(tmpdir(), 'sixpane-bench-'))
const report = (text: string) => process.stderr.write(`${text}\n`)
const bench: Bench = {
  isShort,
  rounds: isShort ? 1 : 5,
  events,
  largestEvents: Number(process.env.LARGEST_EVENTS ?? 0),
  folder,
  largeStore: createLargeStore(folder, events, report),
  report,
}

const cleanUp = async () => {
  await stopAll()
  await rm(folder, { recursive: true, force: true })
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void cleanUp().finally(() => process.exit(1)))
}

const isSelected = (name: string) =>
  names.length === 0 ? name !== 'engines' && (name !== 'profile' || !isShort) : names.includes(name)
const measurements: Measurement[] = []
let profiles: Breakdown[] = []
try {
  await buildForBench(!isShort)
  for (const [name, load] of Object.entries(parts)) {
    if (!isSelected(name)) continue
    report(`Part ${name}`)
    try {
      const { run } = await load()
      measurements.push(...(await run(bench)))
    } catch (error) {
      // The remaining parts still run, because repeating the whole benchmark takes too long.
      report(`Part ${name} failed: ${error instanceof Error ? error.stack : error}`)
      process.exitCode = 1
      await stopAll()
    }
  }
  if (isSelected('profile')) profiles = await profile(bench)
} finally {
  await cleanUp()
}

const rows = rowsOf(measurements)
const { text: description, ...run } = describeRun(events)
const sections: [Section, string][] = []
if (rows.length > 0) sections.push(['table', `${description}\n\n${markdownTable(rows)}`])
if (profiles.length > 0) sections.push(['profile', profiles.map(breakdownTable).join('\n\n')])

if (args.includes('--json')) console.log(JSON.stringify({ ...run, rows, profiles }, null, 2))
else console.log(sections.map(([, text]) => text).join('\n\n'))
if (args.includes('--write')) for (const [section, text] of sections) await writeToDocument(section, text)
