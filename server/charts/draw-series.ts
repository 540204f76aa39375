import type { SeriesPlot } from '../../shared/chart-plot.ts'
import { formatTick, highestOf, scaleTo, ticksUpTo } from '../../shared/chart-scale.ts'
import { shapesOf, strokeOfBars } from '../../shared/chart-shapes.ts'
import { type HtmlFragment, htmlFragment } from '../../shared/html-fragment.ts'
import { type Html, html, jsonAttribute } from '../html/html.ts'
import { axisHeight, drawAxis, timeAxis } from './axis.ts'
import { type Bucket, bucketsOf, withLinks } from './buckets.ts'
import { describe } from './describe.ts'
import { drawLegend } from './legend.ts'
import { drawMarkers } from './markers.ts'
import { drawIncomplete, drawTableLink, drawTarget, seriesPlot } from './plot.ts'
import type { SeriesChart } from './series-types.ts'
import { drawCollapsedTable } from './table.ts'
import { drawTargets } from './targets.ts'

/** Height of the plot in CSS pixels; the width depends on the page. */
const plotHeight = { line: 144, area: 144, bar: 144, stacked: 64 }

/**
 * Draws a chart of values over time as SVG, with a collapsed table or a link to the table page. It fits any width without
 * JavaScript: shapes stretch with the page, because their nested SVG has no fixed aspect ratio, and text keeps its size,
 * because it is positioned by percentages.
 * @param buckets derived from the chart if omitted; charts with the same time range can share them
 */
export function drawSeries(chart: SeriesChart, buckets = bucketsFor(chart)): HtmlFragment {
  const { kind, format, series, markers = [], tableHref } = chart
  const plot = seriesPlot(chart, buckets)
  const height = plotHeight[kind]
  // Starts half a bucket before 0 so that bucket centres are whole numbers.
  const viewBox = `-.5 0 ${Math.max(buckets.length, 1)} ${height}`
  const isEmpty = series.every(({ values, previousValues = [] }) =>
    [...values, ...previousValues].every(value => value === null),
  )
  const ticks = ticksUpTo(highestOf(plot), format)
  const top = ticks.at(-1) ?? 1
  const y = scaleTo(top, height)
  const rows = isEmpty ? [] : ticks.map(value => ({ y: y(value), label: formatTick(format, value, top) }))
  const axis = timeAxis(chart, buckets.length)

  const picture = html`<svg width="100%" height="${height + axisHeight}" role="img" aria-label="${describe(chart, plot, buckets)}">
<g class="chart-grid">${rows.map(row => html`<line x2="100%" y1="${row.y}" y2="${row.y}"/>`)}</g>
<svg class="chart-shapes" width="100%" height="${height}" viewBox="${viewBox}" preserveAspectRatio="none" aria-hidden="true">${drawShapes(plot, y, height)}</svg>
${drawAxis(axis, height)}
${isEmpty ? html`<text class="chart-empty" x="50%" y="${height / 2}" text-anchor="middle">No values in this range</text>` : null}</svg>`

  const figure = html`<figure class="chart"${jsonAttribute('data-plot', plot)}>${series.length > 1 || series.some(({ previousValues }) => previousValues !== undefined) ? drawLegend(chart) : null}
<div class="chart-frame">
<svg class="chart-values" width="56" height="${height + axisHeight}" aria-hidden="true">${rows.map(
    row => html`<text x="48" y="${row.y + 4}">${row.label}</text>`,
  )}</svg>
<div class="chart-plot">${picture}${drawIncomplete(chart.name, plot, height)}${tableHref !== undefined && chart.hrefFor === undefined ? drawTarget(tableHref, height) : drawTargets(plot, chart, buckets, height)}${drawMarkers(markers, axis, height)}</div>
</div>
${tableHref === undefined ? drawCollapsedTable(chart, buckets) : drawTableLink(tableHref)}</figure>`
  return htmlFragment(chart.name, figure.text)
}

/** One bucket per value of the longest series. */
export function bucketsFor({ series, hrefFor, ...times }: SeriesChart): Bucket[] {
  const buckets = bucketsOf(times, Math.max(...series.map(({ values }) => values.length), 0))
  return hrefFor === undefined ? buckets : withLinks(buckets, hrefFor)
}

/** Draws the paths of all series: areas at the back, then the previous period, then lines or bars. */
function drawShapes(plot: SeriesPlot, y: (value: number) => number, height: number): Html[] {
  const { kind, series } = plot
  const shapes = shapesOf(plot, y, height)
  const tone = (index: number) => series[index]?.tone ?? 'neutral'
  const values = shapes.map(({ path }, index) =>
    kind === 'line' || kind === 'area'
      ? html`<path class="chart-line" data-tone="${tone(index)}" d="${path}"/>`
      : html`<path class="chart-bar" data-tone="${tone(index)}" stroke-width="${strokeOfBars(plot)}" d="${path}"/>`,
  )
  const areas = shapes.flatMap(({ area }, index) =>
    area === null ? [] : [html`<path class="chart-area" data-tone="${tone(index)}" d="${area}"/>`],
  )
  const previous = shapes.flatMap(({ previous: path }) =>
    path === null ? [] : [html`<path class="chart-quiet" d="${path}"/>`],
  )
  return [...areas, ...previous, ...values]
}
