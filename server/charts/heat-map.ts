import { formatCount } from '../../shared/format.ts'
import { drawn, type Markup } from '../../shared/markup.ts'
import type { Window } from '../../shared/range.ts'
import { axisHeight, drawAxis, timeAxis } from './axis.ts'
import type { Bucket } from './buckets.ts'
import { drawHeatTable } from './heat-table.ts'
import { type Html, html } from './html.ts'
import { levelOf, levelsFor, levelWords, shadeOf } from './levels.ts'
import { drawMarkers, type Marker } from './markers.ts'
import type { Clock } from './ticks.ts'

/** A row of a heat map; `edge` names its lower edge on the axis, where it does. */
export type Band = { label: string; edge: string | null; hrefFor: (window: Window) => string }

export type HeatMap = {
  /** Unique in the page. */
  name: string
  title: string
  /** What a cell counts, in the plural. */
  unit: string
  window: Window
  clock: Clock
  bucketMs: number
  /** Lowest first. */
  bands: Band[]
  /** Counts of each band, one a bucket. */
  rows: number[][]
  markers: readonly Marker[]
  /** Leads to what a cell counts: the bucket never reaches beyond the window. */
  within: (bucket: Window) => Window
}

const rowHeight = 12

/**
 * Draws how often values fell where, over time: a shade for each count, a link in each cell. The cells lie outside of
 * the tab order and of what is read out: there are hundreds. The keyboard moves over them once a script runs
 * (client/screens/dashboard/read-outs.ts), and the table has the same numbers, with a link to each row and column.
 */
export function drawHeatMap(map: HeatMap, buckets: Bucket[]): Markup {
  const { bands, rows } = map
  const height = bands.length * rowHeight
  const highest = Math.max(...rows.flat(), 0)
  const levels = levelsFor(highest)
  const axis = timeAxis(map, buckets.length)
  const edges = bands.map(({ edge }, index) => ({ edge, y: height - index * rowHeight }))
  const figure = html`<figure class="chart">${drawShades(levels, map.unit)}
<div class="chart-frame">
<svg class="chart-values" width="56" height="${height + axisHeight}" aria-hidden="true">${edges.map(
    ({ edge, y }) =>
      edge === null ? null : html`<text x="48" y="${y + 4}" text-anchor="end">${edge}</text>`,
  )}</svg>
<div class="chart-plot"><svg width="100%" height="${height + axisHeight}" role="img" aria-label="${describe(map, buckets, highest)}">${edges.map(
    ({ edge, y }) => (edge === null ? null : html`<line class="chart-grid" x2="100%" y1="${y}" y2="${y}"/>`),
  )}${drawAxis(axis, height)}</svg>
<svg class="chart-cells" width="100%" height="${height}" viewBox="0 0 ${Math.max(buckets.length, 1)} ${bands.length}" preserveAspectRatio="none" aria-hidden="true">${drawCells(map, buckets, levels)}</svg>${drawMarkers(map.markers, axis, height)}</div>
</div>
${drawHeatTable(map, buckets)}</figure>`
  return drawn(map.name, figure.text)
}

function drawCells({ bands, rows, unit, within }: HeatMap, buckets: Bucket[], levels: number[]): Html[] {
  return bands.flatMap(({ label, hrefFor }, band) => {
    const y = bands.length - 1 - band
    return buckets.flatMap((bucket, x) => {
      const count = rows[band]?.[x] ?? 0
      if (count === 0) return []
      const shade = shadeOf(levelOf(count, levels), levels)
      return [
        html`<a href="${hrefFor(within(bucket))}" tabindex="-1" data-shade="${shade}"><rect x="${x}" y="${y}" width="1" height="1"/><title>${bucket.label}
${label}: ${formatCount(count)} ${unit}</title></a>`,
      ]
    })
  })
}

function drawShades(levels: number[], unit: string): Html {
  return html`<ul class="chart-legend">${levels.map(
    (_, index) =>
      html`<li><svg class="chart-cells" width="14" height="10" aria-hidden="true"><g data-shade="${shadeOf(index + 1, levels)}"><rect width="14" height="10"/></g></svg>${levelWords(index + 1, levels)}</li>`,
  )}<li>${unit}</li></ul>`
}

function describe({ title, unit, bands, rows }: HeatMap, buckets: Bucket[], highest: number): string {
  const band = rows.findIndex(row => row.includes(highest))
  const bucket = buckets[rows[band]?.indexOf(highest) ?? -1]
  const most =
    highest === 0
      ? 'none'
      : `most, ${formatCount(highest)}, at ${bucket?.label ?? ''} in ${bands[band]?.label ?? ''}`
  return `${title}, ${unit} by time and duration: ${most}`
}
