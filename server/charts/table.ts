import { formatValue } from '../../shared/chart-scale.ts'
import { type HtmlFragment, htmlFragment } from '../../shared/html-fragment.ts'
import { type Html, html } from '../html/html.ts'
import { type Bucket, labelOf } from './buckets.ts'
import { namesAt } from './markers.ts'
import { timesOf } from './plot.ts'
import type { SeriesChart } from './series-types.ts'

/** Returns the chart data as a table for a separate page. */
export function seriesTable(chart: SeriesChart, buckets: Bucket[]): HtmlFragment {
  return htmlFragment(`${chart.name}-table`, drawTable(chart, buckets).text)
}

/** Draws the chart data as a collapsed table. */
export function drawCollapsedTable(chart: SeriesChart, buckets: Bucket[]): Html {
  return html`<details class="chart-table"><summary>Table</summary>${drawTable(chart, buckets)}</details>`
}

function drawTable(chart: SeriesChart, buckets: Bucket[]): Html {
  const columns = chart.series.flatMap(({ name, values, previousValues }) => [
    { name, values },
    ...(previousValues === undefined ? [] : [{ name: `previous ${name}`, values: previousValues }]),
  ])
  const { markers = [] } = chart
  const { completeColumns } = timesOf(chart, buckets)
  return html`<section class="scroll-x" tabindex="0" aria-label="${chart.title}, ${chart.unit}"><table><caption class="visually-hidden">${chart.title}, ${chart.unit}</caption>
<thead><tr><th scope="col">Time</th>${markers.length > 0 ? html`<th scope="col">Newest release</th>` : null}${columns.map(({ name }) => html`<th scope="col" class="num">${name}</th>`)}</tr></thead>
<tbody>${buckets.map((bucket, index) => {
    const label = labelOf(bucket, index < completeColumns)
    return html`<tr><th scope="row">${
      bucket.href === null ? label : html`<a href="${bucket.href}">${label}</a>`
    }</th>${markers.length > 0 ? html`<td>${namesAt(markers, bucket)}</td>` : null}${columns.map(
      ({ values }) => {
        const value = values[index] ?? null
        return html`<td class="num">${value === null ? '–' : formatValue(chart.format, value)}</td>`
      },
    )}</tr>`
  })}</tbody></table></section>`
}
