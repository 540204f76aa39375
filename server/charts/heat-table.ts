import { formatCount } from '../../shared/format.ts'
import { type HtmlFragment, htmlFragment } from '../../shared/html-fragment.ts'
import { type Html, html } from '../html/html.ts'
import type { Band, Column, HeatMap } from './heat-map-types.ts'

/**
 * Returns the heat map data as a table for a separate page, with one row per bucket. Each row, column and nonzero count
 * links to its events.
 */
export function heatTable(map: HeatMap, columns: Column[]): HtmlFragment {
  const { title, unit, bands, rows, all, during } = map
  const heads = bands.map(({ label, of }) => html`<th scope="col"><a href="${of}${during}">${label}</a></th>`)
  const start = html`<th scope="row"><a href="${all}`
  const lines = columns.map(
    (column, x) =>
      html`<tr>${start}${column.during}">${column.label}</a></th>${bands.map((band, index) => drawCount(rows[index]?.[x] ?? 0, band, column))}</tr>`,
  )
  const table = html`<section class="scroll-x" tabindex="0" aria-label="${title}, ${unit}"><table class="chart-counts"><caption class="visually-hidden">${title}, ${unit}</caption>
<thead><tr><th scope="col">Time</th>${heads}</tr></thead>
<tbody>${lines}</tbody></table></section>`
  return htmlFragment(`${map.name}-table`, table.text)
}

function drawCount(count: number, { of }: Band, { during }: Column): Html {
  return count === 0 ? html`<td>0</td>` : html`<td><a href="${of}${during}">${formatCount(count)}</a></td>`
}
