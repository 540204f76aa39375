import type { SeriesPlot } from '../../shared/chart-plot.ts'
import { drawnColumns, formatValue } from '../../shared/chart-scale.ts'
import type { Bucket } from './buckets.ts'
import type { SeriesChart } from './series-types.ts'

/** Returns the text alternative of a chart, which states the peak of each series. */
export function describe(
  { title, unit }: Pick<SeriesChart, 'title' | 'unit'>,
  plot: SeriesPlot,
  buckets: readonly Bucket[],
): string {
  const { format, series } = plot
  const peaks = series.map(({ name, values }) => {
    const drawn = values.slice(0, drawnColumns(plot)).filter(value => value !== null)
    if (drawn.length === 0) return `${name}: no values`
    const highest = Math.max(...drawn)
    return `${name}: highest ${formatValue(format, highest)} at ${buckets[values.indexOf(highest)]?.label ?? ''}`
  })
  return `${title}, ${unit}. ${peaks.join('; ')}`
}
