import { type Html, html } from '../html/html.ts'
import type { SeriesChart } from './series-types.ts'

/**
 * Draws the legend: a swatch and a name per series, then the line style of the previous period. If there are several
 * series, JavaScript turns their names into buttons (client/components/chart-legend.ts).
 */
export function drawLegend({ kind, series }: SeriesChart): Html {
  const isLine = kind === 'line' || kind === 'area'
  const width = isLine ? 20 : 10
  return html`<ul class="chart-legend">${series.map(({ name, tone }) => {
    const swatch = isLine
      ? html`<line class="chart-line" data-tone="${tone}" x1="1" x2="19" y1="5" y2="5"/>`
      : html`<rect class="chart-bar" data-tone="${tone}" width="10" height="10"/>`
    return html`<li><svg width="${width}" height="10" aria-hidden="true">${swatch}</svg>${name}</li>`
  })}${series.map(({ name, previousValues }) =>
    previousValues === undefined
      ? null
      : html`<li><svg width="20" height="10" aria-hidden="true"><line class="chart-quiet" x1="1" x2="19" y1="5" y2="5"/></svg>${series.length > 1 ? `previous ${name}` : 'previous period'}</li>`,
  )}</ul>`
}
