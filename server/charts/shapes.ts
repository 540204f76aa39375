import { line } from 'd3-shape'
import { type Html, html } from '../html/html.ts'
import type { Series } from './series-types.ts'

/** Width of a bar, as a share of its bucket's width. */
const barWidth = 0.84
/** In CSS pixels: one error among thousands of events stays visible. */
const minBarHeight = 2

type Scale = (value: number) => number

/** Lines through the middle of each bucket. A missing value leaves a gap; a value between gaps is a dot. */
export function drawLines(series: Series[], y: Scale): Html[] {
  return series.map(
    ({ tone, values }, index) =>
      html`<path class="chart-line" data-tone="${tone}" data-dash="${index}" d="${lineOf(values, y)}"/>`,
  )
}

/** The values of the previous period. */
export function drawQuietLines(series: Series[], y: Scale): Html[] {
  return series.flatMap(({ before }) =>
    before === undefined ? [] : [html`<path class="chart-quiet" d="${lineOf(before, y)}"/>`],
  )
}

function lineOf(values: (number | null)[], y: Scale): string {
  const path = line<number | null>()
    .defined(value => value !== null)
    .x((_, bucket) => bucket)
    .y(value => y(value ?? 0))
    .digits(1)(values)
  return path ?? ''
}

/** Bars, one path of vertical strokes per series: stacked, or side by side. */
export function drawBars(series: Series[], y: Scale, height: number, kind: 'bar' | 'stacked'): Html[] {
  const below: { sum: number; top: number }[] = []
  const width = kind === 'stacked' ? barWidth : barWidth / Math.max(series.length, 1)
  return series.map(({ tone, values }, index) => {
    const middle = kind === 'stacked' ? 0 : (index + 0.5) * width - barWidth / 2
    const path = values.map((value, bucket) => {
      if (value === null || value <= 0) return ''
      const base = kind === 'stacked' ? below[bucket] : undefined
      const sum = (base?.sum ?? 0) + value
      const bottom = base?.top ?? height
      const top = Math.min(y(sum), rounded(bottom - minBarHeight))
      below[bucket] = { sum, top }
      return `M${rounded(bucket + middle)} ${bottom}V${top}`
    })
    return html`<path class="chart-bar" data-tone="${tone}" stroke-width="${rounded(width)}" d="${path.join('')}"/>`
  })
}

function rounded(value: number): number {
  return Number(value.toFixed(2))
}
