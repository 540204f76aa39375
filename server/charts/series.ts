import { scaleLinear } from 'd3-scale'
import type { Severity } from '../../shared/event.ts'
import { drawn, type Markup } from '../../shared/markup.ts'
import type { Window } from '../../shared/range.ts'
import { type Bucket, bucketsOf } from './buckets.ts'
import { html } from './html.ts'
import { drawBars, drawLines } from './shapes.ts'
import { drawTable } from './table.ts'
import { type Clock, timeTicks } from './ticks.ts'
import { type ValueFormat, valueFormats } from './values.ts'

export type SeriesTone =
  | 'accent'
  | 'second'
  | 'third'
  | 'neutral'
  | 'muted'
  | 'ok'
  | 'warn'
  | 'bad'
  | Severity

/** One row of numbers, a number a bucket; `null` where there is none: a line breaks there. */
export type Series = { name: string; tone: SeriesTone; values: (number | null)[] }

export type SeriesChart = {
  /** Unique in the page: hydration finds the chart by it. */
  name: string
  title: string
  unit: string
  window: Window
  clock: Clock
  bucketMs: number
  series: Series[]
  format: ValueFormat
  kind: 'line' | 'bar' | 'stacked'
  /** Makes each bucket a link. */
  hrefFor?: ((bucket: Window) => string) | undefined
}

/** The height of the plot in CSS pixels; its width is whatever the page gives. */
const plotHeight = { line: 144, bar: 144, stacked: 96 }
const axisHeight = 20

/**
 * Draws numbers over time as SVG, with a table of the same numbers for who cannot see it.
 *
 * Shapes stretch with the page (a nested SVG that does not keep its ratio, strokes that do not scale), the
 * text does not: its places are percentages. So one drawing fits any width without a script. The links lie
 * over the picture, outside of the tab order: the keyboard finds the same links in the table.
 */
export function drawSeries(chart: SeriesChart): Markup {
  const { name, kind, series } = chart
  const { short } = valueFormats[chart.format]
  const buckets = bucketsOf(chart)
  const height = plotHeight[kind]
  const scale = scaleLinear([0, top(chart, buckets.length)], [height, 4]).nice(3)
  const y = (value: number) => Number(scale(value).toFixed(2))
  const empty = series.every(({ values }) => values.every(value => value === null))
  const valueTicks = empty ? [] : scale.ticks(3)
  const total = height + axisHeight
  const percent = (ms: number) =>
    `${Number((((ms - chart.window.fromMs) / (chart.window.toMs - chart.window.fromMs)) * 100).toFixed(2))}%`

  const text = html`<figure class="chart" data-kind="${kind}">${series.length > 1 ? drawLegend(kind, series) : null}
<div class="chart-frame">
<svg class="chart-values" width="56" height="${total}" aria-hidden="true">${valueTicks.map(
    value => html`<text x="48" y="${y(value) + 4}" text-anchor="end">${short(value)}</text>`,
  )}</svg>
<div class="chart-plot"><svg width="100%" height="${total}" role="img" aria-label="${describe(chart, buckets)}">
${valueTicks.map(value => html`<line class="chart-grid" x1="0" x2="100%" y1="${y(value)}" y2="${y(value)}"/>`)}
<svg width="100%" height="${height}" viewBox="0 0 ${buckets.length} ${height}" preserveAspectRatio="none">${
    kind === 'line' ? drawLines(series, y) : drawBars(series, y, height, kind)
  }</svg>
${timeTicks(chart.window, chart.clock).map(
  tick =>
    html`<line class="chart-tick" x1="${percent(tick.ms)}" x2="${percent(tick.ms)}" y1="${height}" y2="${height + 4}"/><text x="${percent(tick.ms)}" y="${total - 4}" text-anchor="middle">${tick.label}</text>`,
)}</svg>
<svg class="chart-read" width="100%" height="${height}" viewBox="0 0 ${buckets.length} ${height}" preserveAspectRatio="none" aria-hidden="true">${buckets.map(
    (bucket, index) => drawReadout(chart, bucket, index, height),
  )}</svg></div>
</div>
${drawTable(chart, buckets)}</figure>`
  return drawn(name, text.text)
}

/** A place to point at: it tells the numbers of its bucket, and leads there where the chart has links. */
function drawReadout(chart: SeriesChart, bucket: Bucket, index: number, height: number) {
  const { exact } = valueFormats[chart.format]
  const lines = chart.series.map(({ name, values }) => {
    const value = values[index] ?? null
    return `${name}: ${value === null ? '–' : exact(value)}`
  })
  const place = html`<rect x="${index}" y="0" width="1" height="${height}"/><title>${[bucket.label, ...lines].join('\n')}</title>`
  return bucket.href === null
    ? html`<g>${place}</g>`
    : html`<a href="${bucket.href}" tabindex="-1">${place}</a>`
}

function drawLegend(kind: SeriesChart['kind'], series: Series[]) {
  return html`<ul class="chart-legend">${series.map(({ name, tone }, index) => {
    const swatch =
      kind === 'line'
        ? html`<line class="chart-line" data-tone="${tone}" data-dash="${index}" x1="1" x2="19" y1="5" y2="5"/>`
        : html`<rect class="chart-bar" data-tone="${tone}" width="10" height="10"/>`
    return html`<li><svg width="${kind === 'line' ? 20 : 10}" height="10" aria-hidden="true">${swatch}</svg>${name}</li>`
  })}</ul>`
}

/** What the picture says, in a sentence. */
function describe({ title, unit, format, series }: SeriesChart, buckets: Bucket[]): string {
  const { exact } = valueFormats[format]
  const peaks = series.map(({ name, values }) => {
    const known = values.filter(value => value !== null)
    if (known.length === 0) return `${name}: no values`
    const highest = known.reduce((high, value) => Math.max(high, value), 0)
    return `${name}: highest ${exact(highest)} at ${buckets[values.indexOf(highest)]?.label ?? ''}`
  })
  return `${title}, ${unit}. ${peaks.join('; ')}`
}

/** The highest place that the axis must reach. */
function top({ kind, series }: SeriesChart, count: number): number {
  const heights = Array.from({ length: count }, (_, index) => {
    const values = series.map(({ values }) => values[index] ?? 0)
    return kind === 'stacked' ? values.reduce((sum, value) => sum + value, 0) : Math.max(...values, 0)
  })
  const highest = Math.max(...heights, 0)
  return highest > 0 ? highest : 1
}
