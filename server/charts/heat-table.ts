import { formatCount } from '../../shared/format.ts'
import type { Bucket } from './buckets.ts'
import type { HeatMap } from './heat-map.ts'
import { type Html, html } from './html.ts'

/**
 * The numbers of a heat map as a table, folded, a row for each time. Its heads are links, to all of a time and to
 * all of a band: a link in each of a thousand cells would weigh more than the rest of the page.
 */
export function drawHeatTable({ title, unit, window, bands, rows }: HeatMap, buckets: Bucket[]): Html {
  const heads = bands.map(
    ({ label, hrefFor }) => html`<th scope="col" class="num"><a href="${hrefFor(window)}">${label}</a></th>`,
  )
  const lines = buckets.map(
    (bucket, x) =>
      html`<tr><th scope="row">${
        bucket.href === null ? bucket.label : html`<a href="${bucket.href}">${bucket.label}</a>`
      }</th>${rows.map(row => html`<td class="num">${formatCount(row[x] ?? 0)}</td>`)}</tr>`,
  )
  return html`<details class="chart-table"><summary>Table</summary><section class="scroll-x" tabindex="0" aria-label="${title}, ${unit}"><table><caption class="visually-hidden">${title}, ${unit}</caption>
<thead><tr><th scope="col">Time</th>${heads}</tr></thead>
<tbody>${lines}</tbody></table></section></details>`
}
