import type { HtmlFragment } from '../../../shared/html-fragment.ts'
import { paths } from '../../../shared/paths.ts'
import { drawHeatMap } from '../../charts/heat-map.ts'
import type { Band } from '../../charts/heat-map-chart.ts'
import type { LatencyCell } from '../../store/event-store.ts'
import { type RequestHistory, timesOf, within } from './charts.ts'
import { searchFor } from './links.ts'

/** Five bands to each power of ten, of nearly equal heights on a logarithmic scale, between numbers that are easily read. */
const steps = [1, 1.5, 2.5, 4, 6]
export const latencyEdgesMs = [
  ...[-1, 0, 1, 2, 3, 4].flatMap(power => steps.map(step => Number(`${step}e${power}`))),
  100_000,
]
const fewestBands = 6

/** The heat map of durations over time; each cell leads to its very requests. */
export function latencyMap(cells: LatencyCell[], history: RequestHistory): HtmlFragment {
  const { window, clock, bucketMs, of, markers } = history
  const times = timesOf(history)
  const { from, to } = bandsOf(cells)
  const rows = Array.from({ length: to - from }, () => times.map(() => 0))
  for (const { bucket, band, requests } of cells) {
    const row = rows[band - from]
    if (row !== undefined) row[bucket] = requests
  }
  const short = to - from <= 2 * fewestBands
  return drawHeatMap(
    {
      name: 'dashboard-durations',
      title: 'Latency distribution',
      unit: 'requests',
      window,
      clock,
      bucketMs,
      all: paths.activitiesHalves.of(searchFor(of, 'all')),
      bands: Array.from({ length: to - from }, (_, index) => bandAt(from + index, short, of)),
      rows,
      markers,
      during: paths.activitiesHalves.during(window),
    },
    times.map(bucket => ({ ...bucket, during: paths.activitiesHalves.during(within(bucket, window)) })),
  )
}

/** Those that hold a request, and what is between and around them, so that the map is never a mere stripe. */
function bandsOf(cells: LatencyCell[]): { from: number; to: number } {
  const used = cells.map(({ band }) => band)
  const last = latencyEdgesMs.length
  let from = Math.min(...used, last)
  let to = Math.max(...used, from) + 1
  while (to - from < fewestBands) {
    if (to <= last) to += 1
    if (from > 0 && to - from < fewestBands) from -= 1
  }
  return { from, to }
}

function bandAt(band: number, everyEdge: boolean, whose: RequestHistory['of']): Band {
  const fromMs = latencyEdgesMs[band - 1]
  const toMs = latencyEdgesMs[band]
  const of = paths.activitiesHalves.of(searchFor(whose, 'all', { fromMs, toMs }))
  if (fromMs === undefined) return { label: `under ${words(toMs ?? 0)}`, edge: null, of }
  const label = toMs === undefined ? `${words(fromMs)} and more` : between(fromMs, toMs)
  const isNamed = everyEdge || (band - 1) % steps.length === 0
  return { label, edge: isNamed ? words(fromMs) : null, of }
}

function between(fromMs: number, toMs: number): string {
  const [from, to] = [words(fromMs), words(toMs)]
  return from.endsWith(' ms') === to.endsWith(' ms') ? `${from.replace(/ m?s$/, '')}–${to}` : `${from}–${to}`
}

function words(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${ms / 1000} s`
}
