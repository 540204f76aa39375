import { paths } from '../../shared/paths.ts'
import type { Span } from '../../shared/range.ts'
import { measureMedians } from './median.ts'
import { fetchPage, pageMs, uniqueUrl } from './page-request.ts'
import type { Bench, Part } from './part.ts'
import { residentMb } from './process-stats.ts'
import { type Served, serveSixpane } from './processes.ts'
import type { Measurement } from './rows.ts'
import { openChDb, openDuckDb, type SqlEngine } from './sql-engines.ts'
import { type Dialect, dashboardSql, searchSql } from './sql-queries.ts'

export type ViewId =
  | 'home'
  | 'dashboardHour'
  | 'dashboardDay'
  | 'dashboardWeek'
  | 'development'
  | 'developmentDigest'
  | 'missingTextDay'
  | 'missingTextWeek'
  | 'phrase'
  | 'attribute'
  | 'requestId'

/** A page, and SQL queries that return the same data without Sixpane. */
export type View = {
  id: ViewId
  path: (round: number) => string
  queries?: (dialect: Dialect, round: number) => string[]
}

/** Measures pages and searches with the large store, and plain SQL queries on the same events. */
export const search: Part = {
  async run(bench) {
    const { folder, tableFile } = await bench.largeStore()
    const reference = await openReferences(bench, tableFile)
    const own = await serveSixpane(folder)
    const measurements = await measure(bench, own, reference)
    for (const path of otherScreens) await fetchPage(own.origin, uniqueUrl(path))
    measurements.push({ id: 'memoryAfterScreens', value: await residentMb(own.pid) })
    await own.stop()
    for (const engine of reference.values()) await engine.close()
    return measurements
  },
}

const otherScreens = [paths.activities(), paths.settings(), paths.ui()]

async function openReferences(bench: Bench, tableFile: string): Promise<Map<string, SqlEngine>> {
  const chDb = bench.isShort
    ? null
    : await openChDb(tableFile, bench.folder).catch((error: unknown) => {
        bench.report(`Measuring without chDB: ${error}`)
        return null
      })
  const engines = new Map([['DuckDB, one table', await openDuckDb(tableFile)]])
  return chDb === null ? engines : engines.set('chDB', chDb)
}

async function measure(
  { rounds, events }: Bench,
  { origin }: Served,
  engines: ReadonlyMap<string, SqlEngine>,
): Promise<Measurement[]> {
  const measurements: Measurement[] = []
  const views = viewsOf(events, Date.now())
  await warmUp(origin, views)
  for (const { id, path, queries } of views) {
    let round = 0
    const tasks: Record<string, () => Promise<number>> = {
      own: () => {
        round += 1
        return pageMs(origin, path(round))
      },
    }
    if (queries !== undefined) {
      for (const [name, { dialect, measureMs }] of engines) {
        tasks[name] = () => measureMs(queries(dialect, round))
      }
    }
    const medianMs = await measureMedians(rounds, tasks)
    const names = queries === undefined ? [] : [...engines.keys()]
    const references = names.map(name => ({ name, value: medianMs(name) }))
    measurements.push({ id, value: medianMs('own'), references })
  }
  return measurements
}

const warmUpRounds = 3

/**
 * Requests each page a few times. Otherwise, the first pages would be slower than the others, because a new process has not
 * compiled its code yet.
 */
export async function warmUp(origin: string, views: readonly View[]): Promise<void> {
  for (let time = 0; time < warmUpRounds; time += 1) {
    for (const { path } of views) await fetchPage(origin, uniqueUrl(path(0)))
  }
}

/** The measured pages and searches. `events` is the number of synthetic events in the store. */
export function viewsOf(events: number, nowMs: number): View[] {
  return [
    { id: 'home', path: () => paths.home() },
    dashboardView('dashboardHour', '1h', nowMs),
    dashboardView('dashboardDay', '24h', nowMs),
    dashboardView('dashboardWeek', '7d', nowMs),
    { id: 'development', path: () => paths.development() },
    { id: 'developmentDigest', path: () => paths.development({ digest: '1000000007' }) },
    // Each round searches for different missing text and another request id, so that cached results do not help.
    searchView('missingTextDay', '24h', nowMs, {
      q: round => `nowhere${round}`,
      where: ({ containsPhrase }, round) => containsPhrase(`nowhere${round}`),
    }),
    searchView('missingTextWeek', '7d', nowMs, {
      q: round => `nobody${round}`,
      where: ({ containsPhrase }, round) => containsPhrase(`nobody${round}`),
    }),
    searchView('phrase', '7d', nowMs, {
      q: () => '"card declined"',
      where: ({ containsPhrase }) => containsPhrase('card declined'),
    }),
    searchView('attribute', '7d', nowMs, {
      q: () => 'user.plan:pro severity:error',
      where: ({ isPlan }) => `${isPlan('pro')} AND severity = 'error'`,
    }),
    searchView('requestId', '7d', nowMs, {
      q: round => `request:${requestId(events, round)}`,
      where: (_, round) => `request_id = '${requestId(events, round)}'`,
    }),
  ]
}

/** Returns the request id to search for in a round. The ids are spread over the week. */
function requestId(events: number, round: number): string {
  return `req-${Math.floor((events * (round + 1)) / 8).toString(36)}`
}

function dashboardView(id: ViewId, span: Span, nowMs: number): View {
  return {
    id,
    path: () => paths.dashboard({ range: { span } }),
    queries: dialect => dashboardSql(dialect, span, nowMs),
  }
}

function searchView(
  id: ViewId,
  span: Span,
  nowMs: number,
  { q, where }: { q: (round: number) => string; where: (dialect: Dialect, round: number) => string },
): View {
  return {
    id,
    path: round => paths.activities({ q: q(round), range: { span } }),
    queries: (dialect, round) => searchSql(dialect, where(dialect, round), span, nowMs),
  }
}
