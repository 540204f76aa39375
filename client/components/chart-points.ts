import { type ChartPlot, windowOfColumn } from '../../shared/chart-plot.ts'
import { paths } from '../../shared/paths.ts'

/** A column, or a cell of a heat map. `y` counts rows from the top. */
export type DataPoint = { x: number; y: number }

/** Returns the points that the keyboard can reach: all columns, or the non-empty cells of a heat map. */
export function pointsOf(plot: ChartPlot): DataPoint[] {
  if (plot.kind !== 'map') return Array.from({ length: plot.columns }, (_, x) => ({ x, y: 0 }))
  return plot.bands.flatMap(({ counts }, band) =>
    counts.flatMap((count, x) => (count === 0 ? [] : [{ x, y: plot.bands.length - 1 - band }])),
  )
}

/** Returns the URL of the events behind a point, or `null` if there are none. */
export function hrefOfPoint(plot: ChartPlot, { x, y }: DataPoint): string | null {
  const times = paths.activitiesUrlParts.window(windowOfColumn(plot, x))
  if (plot.eventsHref === undefined) return null
  if (plot.kind !== 'map') return plot.eventsHref + times
  const band = plot.bands[plot.bands.length - 1 - y]
  return band === undefined || (band.counts[x] ?? 0) === 0 ? null : plot.eventsHref + band.search + times
}
