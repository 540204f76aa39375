import { scaleLinear } from 'd3-scale'
import { type HtmlFragment, htmlFragment } from '../../shared/html-fragment.ts'
import { html } from '../html/html.ts'
import { axisHeight, drawAxis, timeAxis } from './axis.ts'
import { type Bucket, bucketsOf, linked } from './buckets.ts'
import { drawLegend } from './legend.ts'
import { drawMarkers } from './markers.ts'
import { drawTableLink, drawTarget } from './plot.ts'
import { describe, drawReadouts } from './readout.ts'
import type { SeriesChart } from './series-types.ts'
import { drawBars, drawLines, drawQuietLines } from './shapes.ts'
import { drawCollapsedTable } from './table.ts'
import { valueFormats } from './values.ts'

/** Height of the plot in CSS pixels; the width depends on the page. */
const plotHeight = { line: 144, bar: 144, stacked: 64 }

/**
 * Draws a chart of values over time as SVG, with a collapsed table or a link to the table page.
 *
 * Shapes stretch with the page because their nested SVG has no fixed aspect ratio. Text is positioned by percentages and
 * keeps its size. The chart therefore fits any width without JavaScript.
 *
 * @param buckets derived from the chart if omitted; charts with the same time range can share them
 */
export function drawSeries(chart: SeriesChart, buckets = bucketsFor(chart)): HtmlFragment {
  const { kind, series, tableHref } = chart
  const { short } = valueFormats[chart.format]
  const height = plotHeight[kind]
  // Starts half a bucket before 0 so that bucket centres are whole numbers.
  const viewBox = `-.5 0 ${Math.max(buckets.length, 1)} ${height}`
  const isEmpty = series.every(({ values, previousValues = [] }) =>
    [...values, ...previousValues].every(value => value === null),
  )
  const scale = scaleLinear([0, highestOf(chart, buckets.length)], [height, 4]).nice(3)
  const y = (value: number) => Number(scale(value).toFixed(1))
  // Counts have no fractions.
  const isTick = (value: number) => chart.format !== 'count' || Number.isInteger(value)
  const ticks = isEmpty ? [] : scale.ticks(3).filter(isTick)
  const rows = ticks.map(value => ({ y: y(value), label: short(value) }))
  const axis = timeAxis(chart, buckets.length)

  const picture = html`<svg width="100%" height="${height + axisHeight}" role="img" aria-label="${describe(chart, buckets)}">
<g class="chart-grid">${rows.map(row => html`<line x2="100%" y1="${row.y}" y2="${row.y}"/>`)}</g>
<svg width="100%" height="${height}" viewBox="${viewBox}" preserveAspectRatio="none" aria-hidden="true">${
    kind === 'line'
      ? [drawQuietLines(series, y), drawLines(series, y)]
      : [drawBars(series, y, height, kind), drawQuietLines(series, y)]
  }</svg>
${drawAxis(axis, height)}
${isEmpty ? html`<text class="chart-empty" x="50%" y="${height / 2}" text-anchor="middle">No values in this range</text>` : null}</svg>`

  const figure = html`<figure class="chart">${series.length > 1 || series.some(({ previousValues }) => previousValues !== undefined) ? drawLegend(chart) : null}
<div class="chart-frame">
<svg class="chart-values" width="56" height="${height + axisHeight}" aria-hidden="true">${rows.map(
    row => html`<text x="48" y="${row.y + 4}">${row.label}</text>`,
  )}</svg>
<div class="chart-plot">${picture}${tableHref !== undefined && chart.hrefFor === undefined ? drawTarget(tableHref, height) : drawReadouts(chart, buckets, height)}${drawMarkers(chart.markers ?? [], axis, height)}</div>
</div>
${tableHref === undefined ? drawCollapsedTable(chart, buckets) : drawTableLink(tableHref)}</figure>`
  return htmlFragment(chart.name, figure.text)
}

/** One bucket per value of the longest series. */
export function bucketsFor({ series, hrefFor, ...times }: SeriesChart): Bucket[] {
  const buckets = bucketsOf(times, Math.max(...series.map(({ values }) => values.length), 0))
  return hrefFor === undefined ? buckets : linked(buckets, hrefFor)
}

/** Returns the axis maximum, or 1 if all values are 0, because the scale must not be empty. */
function highestOf({ kind, series }: SeriesChart, count: number): number {
  let highest = 0
  for (let index = 0; index < count; index += 1) {
    let height = 0
    for (const { values, previousValues } of series) {
      const value = values[index] ?? 0
      const previous = previousValues?.[index] ?? 0
      height = kind === 'stacked' ? height + value + previous : Math.max(height, value, previous)
    }
    highest = Math.max(highest, height)
  }
  return highest || 1
}
