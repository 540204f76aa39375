import type { SeriesPlot } from '../../shared/chart-plot.ts'
import { formatValue } from '../../shared/chart-scale.ts'
import type { Bucket } from './buckets.ts'
import type { SeriesChart } from './series-types.ts'

/** Returns the text alternative of a chart: the peak of each series. Incomplete buckets have no peaks. */
export function describe(
  { title, unit }: Pick<SeriesChart, 'title' | 'unit'>,
  { format, series, completeColumns }: SeriesPlot,
  buckets: readonly Bucket[],
): string {
  const peaks = series.map(({ name, values }) => {
    const known = values.slice(0, completeColumns).filter(value => value !== null)
    if (known.length === 0) return `${name}: no values`
    const highest = Math.max(...known)
    return `${name}: highest ${formatValue(format, highest)} at ${buckets[values.indexOf(highest)]?.label ?? ''}`
  })
  return `${title}, ${unit}. ${peaks.join('; ')}`
}
