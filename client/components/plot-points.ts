import type { ChartPlot, MapPlot, PlotTimes, SeriesPlot } from '../../shared/chart-plot.ts'
import { formatCount } from '../../shared/format.ts'
import { paths } from '../../shared/paths.ts'

/** A chart point with a tooltip: a time bucket or a heat map cell. `y` counts rows from the top. */
export type DataPoint = { x: number; y: number; text: string; href: string | null }

/** Returns all chart points that have a tooltip, with links to their events. */
export function pointsOf(plot: ChartPlot, times: PlotTimes): DataPoint[] {
  return plot.kind === 'map' ? pointsOfMap(plot, times) : pointsOfSeries(plot, times)
}

function pointsOfSeries({ search, series }: SeriesPlot, times: PlotTimes): DataPoint[] {
  return times.labels.map((label, x) => {
    const lines = series.map(({ name, values, previousValues }) => {
      const previous = previousValues === undefined ? '' : `, previously ${previousValues[x]}`
      return `${name}: ${values[x]}${previous}`
    })
    const tooltips = times.markers.filter(({ column }) => column === x).map(marker => marker.tooltip)
    const href = search === null ? null : search + windowOf(x, times)
    return { x, y: 0, text: [label, ...lines, ...tooltips].join('\n'), href }
  })
}

function pointsOfMap({ bands, unit }: MapPlot, times: PlotTimes): DataPoint[] {
  return bands.flatMap(({ label, search, counts }, band) =>
    counts.flatMap((count, x) => {
      if (count === 0) return []
      const text = `${times.labels[x]}, ${label}\n${unit}: ${formatCount(count)}`
      return [{ x, y: bands.length - 1 - band, text, href: search + windowOf(x, times) }]
    }),
  )
}

/** The URL parameters for the time window of a column. */
function windowOf(column: number, { window, bucketMs }: PlotTimes): string {
  const fromMs = window.fromMs + column * bucketMs
  return paths.activitiesUrlParts.window({ fromMs, toMs: Math.min(fromMs + bucketMs, window.toMs) })
}
