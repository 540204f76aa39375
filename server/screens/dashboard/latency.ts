import { paths } from '../../../shared/paths.ts'
import { searchFor } from '../../../shared/request-search.ts'
import type { DashboardChart, DashboardTable } from '../../../shared/screens/dashboard.ts'
import type { Bucket } from '../../charts/buckets.ts'
import { drawHeatMap } from '../../charts/draw-heat-map.ts'
import type { Band, HeatMap } from '../../charts/heat-map-types.ts'
import { heatTable } from '../../charts/heat-table.ts'
import { durationEdgesMs, edgesPerDecade } from '../../store/duration-edges.ts'
import type { LatencyCell } from '../../store/event-store.ts'
import type { RequestHistory } from './charts.ts'

const minBands = 6
/** The index, within a decade, of an edge near the middle of the decade on a logarithmic scale. */
const middleStep = 3

/** Draws the heat map of durations over time. Each cell links to exactly the requests that it counts. */
export function latencyMap(cells: LatencyCell[], history: RequestHistory, times: Bucket[]): DashboardChart {
  return draw(mapOf(cells, history), times)
}

/** Draws the heat map, with its counts as a table. */
export function latencyTable(
  cells: LatencyCell[],
  history: RequestHistory,
  times: Bucket[],
): Pick<DashboardTable, 'chart' | 'table'> {
  const map = mapOf(cells, history)
  const columns = times.map(bucket => ({
    ...bucket,
    windowParams: paths.activitiesUrlParts.window(bucket),
  }))
  return { chart: draw(map, times), table: heatTable(map, columns) }
}

function draw(map: HeatMap, times: Bucket[]): DashboardChart {
  const { title, noun } = map
  return { id: 'durations', title, unit: `${noun}s`, chart: drawHeatMap(map, times) }
}

function mapOf(cells: LatencyCell[], history: RequestHistory): HeatMap {
  const { buckets, window, clock, nowMs, bucketMs, filter, markers, view } = history
  const { from, to } = bandsOf(cells)
  const rows = Array.from({ length: to - from }, () => buckets.map(() => 0))
  for (const { bucket, band, requests } of cells) {
    const row = rows[band - from]
    if (row !== undefined) row[bucket] = requests
  }
  const hasFewDecades = to - from < 3 * edgesPerDecade
  return {
    name: 'dashboard-durations',
    title: 'Latency distribution',
    noun: 'request',
    window,
    clock,
    nowMs,
    bucketMs,
    allRowsHref: paths.activitiesUrlParts.search(searchFor(filter, 'all')),
    bands: Array.from({ length: to - from }, (_, index) => bandAt(from + index, hasFewDecades, filter)),
    rows,
    markers,
    windowParams: paths.activitiesUrlParts.window(window),
    tableHref: paths.dashboard({ ...view, table: 'durations' }),
  }
}

/** Returns the smallest range of at least `minBands` bands that contains all requests. */
function bandsOf(cells: LatencyCell[]): { from: number; to: number } {
  const used = cells.map(({ band }) => band)
  const last = durationEdgesMs.length
  let from = Math.min(...used, last)
  let to = Math.max(...used, from) + 1
  while (to - from < minBands) {
    if (to <= last) to += 1
    if (from > 0 && to - from < minBands) from -= 1
  }
  return { from, to }
}

function bandAt(band: number, hasFewDecades: boolean, filter: RequestHistory['filter']): Band {
  const fromMs = durationEdgesMs[band - 1]
  const toMs = durationEdgesMs[band]
  const searchHref = paths.activitiesUrlParts.search(searchFor(filter, 'all', { fromMs, toMs }))
  if (fromMs === undefined) return { label: `under ${words(toMs ?? 0)}`, edge: null, searchHref }
  const label = toMs === undefined ? `${words(fromMs)} or more` : between(fromMs, toMs)
  const step = (band - 1) % edgesPerDecade
  // Labels 1, 10, 100 ms, 1 s and so on. If the map has few decades, also labels 4, 40, 400 ms and so on.
  const hasLabel = step === 0 || (hasFewDecades && step === middleStep)
  return { label, edge: hasLabel ? words(fromMs) : null, searchHref }
}

function between(fromMs: number, toMs: number): string {
  const [from, to] = [words(fromMs), words(toMs)]
  return from.endsWith(' ms') === to.endsWith(' ms') ? `${from.replace(/ m?s$/, '')}–${to}` : `${from}–${to}`
}

function words(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${ms / 1000} s`
}
