import { formatCount } from '../../shared/format.ts'
import { type HtmlFragment, htmlFragment } from '../../shared/html-fragment.ts'
import { type Html, html } from '../html/html.ts'
import { axisHeight, drawAxis, timeAxis } from './axis.ts'
import type { Column, HeatMap } from './heat-map-types.ts'
import { drawHeatTable } from './heat-table.ts'
import { drawMarkers } from './markers.ts'
import { formatShade, shadeOf, shadeStarts, styleSheetShade } from './shades.ts'

const rowHeight = 12

/**
 * Draws a heat map: counts by time and band, with a link in each cell. The hundreds of cells are hidden from the tab order
 * and from screen readers. With JavaScript, arrow keys move between them
 * (client/screens/dashboard/use-chart-tooltips.ts). The table has the same counts, with a link for each row and column.
 */
export function drawHeatMap(map: HeatMap, columns: Column[]): HtmlFragment {
  const { bands, rows } = map
  const height = bands.length * rowHeight
  const highest = Math.max(...rows.flat(), 0)
  const starts = shadeStarts(highest)
  const axis = timeAxis(map, columns.length)
  const edges = bands.map(({ edge }, index) => ({ edge, y: height - index * rowHeight }))
  const figure = html`<figure class="chart">${drawShades(starts, highest, map.unit)}
<div class="chart-frame">
<svg class="chart-values" width="56" height="${height + axisHeight}" aria-hidden="true">${edges.map(
    ({ edge, y }) =>
      edge === null ? null : html`<text x="48" y="${y + 4}" text-anchor="end">${edge}</text>`,
  )}</svg>
<div class="chart-plot"><svg width="100%" height="${height + axisHeight}" role="img" aria-label="${describe(map, columns, highest)}">${edges.map(
    ({ edge, y }) => (edge === null ? null : html`<line class="chart-grid" x2="100%" y1="${y}" y2="${y}"/>`),
  )}${drawAxis(axis, height)}</svg>
<svg class="chart-cells" width="100%" height="${height}" viewBox="0 0 ${Math.max(columns.length, 1)} ${bands.length}" preserveAspectRatio="none" aria-hidden="true">${drawCells(map, columns, starts)}</svg>${drawMarkers(map.markers, axis, height)}</div>
</div>
${drawHeatTable(map, columns)}</figure>`
  return htmlFragment(map.name, figure.text)
}

/** Groups cells by shade, so that the attribute is written once per shade. */
function drawCells({ bands, rows, unit }: HeatMap, columns: Column[], starts: number[]): Html[] {
  const shades = starts.map((): Html[] => [])
  const durings = columns.map(({ during, label }) => ({ during: html`${during}`, label }))
  for (const [band, { label, of }] of bands.entries()) {
    const start = html`<a href="${of}`
    const y = bands.length - 1 - band
    for (const [x, column] of durings.entries()) {
      const count = rows[band]?.[x] ?? 0
      if (count === 0) continue
      const cell = html`${start}${column.during}" tabindex="-1"><rect x="${x}" y="${y}"/><title>${column.label}, ${label}
${unit}: ${formatCount(count)}</title></a>`
      shades[shadeOf(count, starts) - 1]?.push(cell)
    }
  }
  return shades.map(
    (cells, index) => html`<g data-shade="${styleSheetShade(index + 1, starts)}">${cells}</g>`,
  )
}

function drawShades(starts: number[], highest: number, unit: string): Html {
  return html`<ul class="chart-legend">${starts.map(
    (_, index) =>
      html`<li><svg class="chart-cells" width="14" height="10" viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true"><g data-shade="${styleSheetShade(index + 1, starts)}"><rect/></g></svg>${formatShade(index + 1, starts, highest)}</li>`,
  )}<li>${unit}</li></ul>`
}

function describe({ title, unit, bands, rows }: HeatMap, columns: Column[], highest: number): string {
  const band = rows.findIndex(row => row.includes(highest))
  const column = columns[rows[band]?.indexOf(highest) ?? -1]
  const most =
    highest === 0
      ? 'none'
      : `most, ${formatCount(highest)}, at ${column?.label ?? ''} in ${bands[band]?.label ?? ''}`
  return `${title}, ${unit} by time and duration: ${most}`
}
