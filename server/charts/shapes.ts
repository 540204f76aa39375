import { line } from 'd3-shape'
import { type Html, html } from '../html/html.ts'
import type { Series } from './series-types.ts'

/** Bar width as a fraction of the bucket width. */
const barWidth = 0.84
/** In CSS pixels. Keeps one error among thousands of events visible. */
const minBarHeight = 2

type Scale = (value: number) => number

/** Draws lines through the bucket centres. A missing value leaves a gap; a value between two gaps is a dot. */
export function drawLines(series: Series[], y: Scale): Html[] {
  return series.map(
    ({ tone, values }, index) =>
      html`<path class="chart-line" data-tone="${tone}" data-dash="${index}" d="${lineOf(values, y)}"/>`,
  )
}

/** Draws the values of the previous period. */
export function drawQuietLines(series: Series[], y: Scale): Html[] {
  return series.flatMap(({ previousValues }) =>
    previousValues === undefined ? [] : [html`<path class="chart-quiet" d="${lineOf(previousValues, y)}"/>`],
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

/** Draws stacked or side-by-side bars, with one path of vertical strokes per series. */
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
