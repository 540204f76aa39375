import { formatCount } from '../../shared/format.ts'
import { type Html, html } from '../html/html.ts'
import type { Column, HeatMap } from './heat-map-types.ts'

/**
 * Draws the data of a heat map as a collapsed table with one row per bucket. Only row and column headers are links: links
 * in a thousand cells would be larger than the rest of the page.
 */
export function drawHeatTable(map: HeatMap, columns: Column[]): Html {
  const { title, unit, bands, rows, all, during } = map
  const heads = bands.map(({ label, of }) => html`<th scope="col"><a href="${of}${during}">${label}</a></th>`)
  const start = html`<th scope="row"><a href="${all}`
  const lines = columns.map(
    (column, x) =>
      html`<tr>${start}${column.during}">${column.label}</a></th>${rows.map(row => html`<td>${formatCount(row[x] ?? 0)}</td>`)}</tr>`,
  )
  return html`<details class="chart-table"><summary>Table</summary><section class="scroll-x" tabindex="0" aria-label="${title}, ${unit}"><table class="chart-counts"><caption class="visually-hidden">${title}, ${unit}</caption>
<thead><tr><th scope="col">Time</th>${heads}</tr></thead>
<tbody>${lines}</tbody></table></section></details>`
}
