import { completeColumnsOf } from '../../shared/chart-plot.ts'
import { formatCount } from '../../shared/format.ts'
import { type HtmlFragment, htmlFragment } from '../../shared/html-fragment.ts'
import { type Html, html } from '../html/html.ts'
import { labelOf } from './buckets.ts'
import type { Band, Column, HeatMap } from './heat-map-types.ts'
import { namesAt } from './markers.ts'

/**
 * Returns the heat map data as a table for a separate page, with one row per bucket. Each row, column and nonzero count
 * links to its events.
 */
export function heatTable(map: HeatMap, columns: Column[]): HtmlFragment {
  const { title, noun, bands, rows, allRowsHref, windowParams, markers } = map
  const heads = bands.map(
    ({ label, searchHref }) => html`<th scope="col"><a href="${searchHref}${windowParams}">${label}</a></th>`,
  )
  const start = html`<th scope="row"><a href="${allRowsHref}`
  const completeColumns = completeColumnsOf({ ...map, columns: columns.length }, map.nowMs)
  const lines = columns.map(
    (column, x) =>
      html`<tr>${start}${column.windowParams}">${labelOf(column, x < completeColumns)}</a></th>${markers.length > 0 ? html`<td class="release">${namesAt(markers, column)}</td>` : null}${bands.map((band, index) => drawCount(rows[index]?.[x] ?? 0, band, column))}</tr>`,
  )
  const table = html`<section class="scroll-x" tabindex="0" aria-label="${title}, ${noun}s"><table class="chart-counts"><caption class="visually-hidden">${title}, ${noun}s</caption>
<thead><tr><th scope="col">Time</th>${markers.length > 0 ? html`<th scope="col" class="release">Newest release</th>` : null}${heads}</tr></thead>
<tbody>${lines}</tbody></table></section>`
  return htmlFragment(`${map.name}-table`, table.text)
}

function drawCount(count: number, { searchHref }: Band, { windowParams }: Column): Html {
  return count === 0
    ? html`<td>0</td>`
    : html`<td><a href="${searchHref}${windowParams}">${formatCount(count)}</a></td>`
}
