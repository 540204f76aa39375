import { columnLabel } from '../../shared/chart-label.ts'
import { markersAt, type SeriesPlot } from '../../shared/chart-plot.ts'
import { formatValue } from '../../shared/chart-scale.ts'
import { type Html, html } from '../html/html.ts'
import { type Bucket, labelOf } from './buckets.ts'
import type { SeriesChart } from './series-types.ts'

/**
 * Draws an invisible area over each bucket. If the chart has links, the area is a link. Without JavaScript, its tooltip
 * shows the values of the bucket. The areas are not in the tab order, because the table has the same values and links.
 */
export function drawTargets(
  plot: SeriesPlot,
  { markers = [], clock }: Pick<SeriesChart, 'markers' | 'clock'>,
  buckets: Bucket[],
  height: number,
): Html {
  const areas = buckets.map((bucket, index) => {
    const text = (value: number | null | undefined) => (value == null ? '–' : formatValue(plot.format, value))
    const lines = plot.series.flatMap(({ name, values, previousValues }) => {
      // Omits severities without events, because most severities occur only in a few buckets.
      if (plot.kind === 'stacked' && values[index] === 0) return []
      const previous = previousValues === undefined ? '' : `, previously ${text(previousValues[index])}`
      return `${name}: ${text(values[index])}${previous}`
    })
    const markerTexts = markersAt(markers, bucket).map(
      ({ ms, tooltip }) => `${tooltip} ${columnLabel(ms, plot, clock)}`,
    )
    const area = html`<rect x="${index}"/><title>${[labelOf(bucket, index < plot.completeColumns), ...lines, ...markerTexts].join('\n')}</title>`
    return bucket.href === null
      ? html`<g>${area}</g>`
      : html`<a href="${bucket.href}" tabindex="-1">${area}</a>`
  })
  return html`<svg class="chart-read" width="100%" height="${height}" viewBox="0 0 ${Math.max(buckets.length, 1)} ${height}" preserveAspectRatio="none" aria-hidden="true">${areas}</svg>`
}
