import { formatCount } from '../../shared/format.ts'
import { type HtmlFragment, htmlFragment } from '../../shared/html-fragment.ts'
import { type Html, html, jsonAttribute } from '../html/html.ts'
import { axisHeight, drawAxis, timeAxis } from './axis.ts'
import type { Column, HeatMap } from './heat-map-types.ts'
import { drawMarkers } from './markers.ts'
import { drawIncomplete, drawTableLink, drawTarget, mapPlot } from './plot.ts'
import { formatShade, shadeOf, shadeStarts, styleSheetShade } from './shades.ts'

const rowHeight = 12

type Labelled = Pick<Column, 'label'>

/**
 * Draws a heat map of counts by time and band. Cells of the same shade share one path, because hundreds of separate
 * elements would make up most of the page. With JavaScript, arrow keys move between the cells
 * (client/components/chart-keyboard.ts). The table contains the same counts, with links.
 */
export function drawHeatMap(map: HeatMap, columns: readonly Labelled[]): HtmlFragment {
  const { bands, rows } = map
  const height = bands.length * rowHeight
  const highest = rows.reduce((most, counts) => Math.max(most, ...counts), 0)
  const starts = shadeStarts(highest)
  const axis = timeAxis(map, columns.length)
  const edges = bands.map(({ edge }, index) => ({ edge, y: height - index * rowHeight }))
  const plot = mapPlot(map, columns.length)
  const figure = html`<figure class="chart"${jsonAttribute('data-plot', plot)}>${drawShades(starts, highest, map.noun)}
<div class="chart-frame">
<svg class="chart-values" width="56" height="${height + axisHeight}" aria-hidden="true">${edges.map(
    ({ edge, y }) => (edge === null ? null : html`<text x="48" y="${y + 4}">${edge}</text>`),
  )}</svg>
<div class="chart-plot"><svg width="100%" height="${height + axisHeight}" role="img" aria-label="${describe(map, columns, highest)}">${edges.map(
    ({ edge, y }) => (edge === null ? null : html`<line class="chart-grid" x2="100%" y1="${y}" y2="${y}"/>`),
  )}${drawAxis(axis, height)}</svg>
<svg class="chart-cells" width="100%" height="${height}" viewBox="0 0 ${Math.max(columns.length, 1)} ${bands.length}" preserveAspectRatio="none" aria-hidden="true">${drawCells(map, starts)}</svg>${drawIncomplete(map.name, plot, height)}${drawTarget(map.tableHref, height)}${drawMarkers(map.markers, axis, height)}</div>
</div>
${drawTableLink(map.tableHref)}</figure>`
  return htmlFragment(map.name, figure.text)
}

/** Draws one path of squares per shade. Moves within a row are relative, which takes fewer digits. */
function drawCells({ rows }: HeatMap, starts: number[]): Html[] {
  const shades = starts.map(() => '')
  for (const [band, counts] of rows.entries()) {
    const y = rows.length - 1 - band
    const previous: number[] = []
    for (const [x, count] of counts.entries()) {
      if (count === 0) continue
      const index = shadeOf(count, starts) - 1
      const from = previous[index]
      shades[index] += `${from === undefined ? `M${x} ${y}` : `m${x - from} 0`}h1v1h-1z`
      previous[index] = x
    }
  }
  return shades.map(
    (cells, index) => html`<path data-shade="${styleSheetShade(index + 1, starts)}" d="${cells}"/>`,
  )
}

function drawShades(starts: number[], highest: number, noun: string): Html {
  return html`<ul class="chart-legend">${starts.map(
    (_, index) =>
      html`<li><svg class="chart-cells" width="14" height="10" viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true"><path data-shade="${styleSheetShade(index + 1, starts)}" d="M0 0h1v1h-1z"/></svg>${formatShade(index + 1, starts, highest)}</li>`,
  )}<li>${noun}s</li></ul>`
}

function describe(
  { title, noun, bands, rows }: HeatMap,
  columns: readonly Labelled[],
  highest: number,
): string {
  const band = rows.findIndex(row => row.includes(highest))
  const column = columns[rows[band]?.indexOf(highest) ?? -1]
  const peak =
    highest === 0
      ? 'none'
      : `highest ${formatCount(highest)} at ${column?.label ?? ''}, ${bands[band]?.label ?? ''}`
  return `${title}, ${noun}s by time and duration: ${peak}`
}
