import type { Window } from '../../shared/range.ts'
import { type Html, html } from '../html/html.ts'
import { type Clock, timeTicks } from './ticks.ts'

/** The height of an axis of time, in CSS pixels. */
export const axisHeight = 20

/** What the width of a chart stands for: whole buckets, of which the last may reach beyond the window. */
type TimeAxis = Window & { clock: Clock }

export function timeAxis(chart: { window: Window; bucketMs: number; clock: Clock }, count: number): TimeAxis {
  const { window, bucketMs, clock } = chart
  const toMs = count === 0 ? window.toMs : window.fromMs + count * bucketMs
  return { fromMs: window.fromMs, toMs, clock }
}

/** Where an instant stands, as a share of the width. */
export function placeOf(ms: number, { fromMs, toMs }: Window): number {
  return (ms - fromMs) / (toMs - fromMs)
}

export function percent(share: number): string {
  return `${Number((share * 100).toFixed(2))}%`
}

/** The line under a plot of this height, with the times that it names. */
export function drawAxis(axis: TimeAxis, height: number): Html {
  const ticks = timeTicks(axis, axis.clock).map(({ ms, label }) => {
    const x = percent(placeOf(ms, axis))
    return html`<line class="chart-tick" x1="${x}" x2="${x}" y1="${height}" y2="${height + 4}"/><text x="${x}" y="${height + 16}" text-anchor="middle">${label}</text>`
  })
  return html`<line class="chart-base" x2="100%" y1="${height}" y2="${height}"/>
${ticks}`
}
