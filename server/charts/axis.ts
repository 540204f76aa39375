import type { Clock } from '../../shared/preferences.ts'
import type { Window } from '../../shared/range.ts'
import { type Html, html } from '../html/html.ts'
import { timeTicks } from './ticks.ts'

/** Height of the time axis in CSS pixels. */
export const axisHeight = 20

/** The time range of the full chart width. It covers whole buckets, so the last one may end after the window. */
type TimeAxis = Window & { clock: Clock }

/** Returns the time axis of a chart with `count` buckets. */
export function timeAxis(chart: { window: Window; bucketMs: number; clock: Clock }, count: number): TimeAxis {
  const { window, bucketMs, clock } = chart
  const toMs = count === 0 ? window.toMs : window.fromMs + count * bucketMs
  return { fromMs: window.fromMs, toMs, clock }
}

/** Position of a time as a fraction of the width. */
export function positionOf(ms: number, { fromMs, toMs }: Window): number {
  return (ms - fromMs) / (toMs - fromMs)
}

/** Formats a fraction as a CSS percentage. */
export function percent(share: number): string {
  return `${Number((share * 100).toFixed(2))}%`
}

/** Draws the time axis, a line with labelled ticks, below a plot of this height. */
export function drawAxis(axis: TimeAxis, height: number): Html {
  const ticks = timeTicks(axis, axis.clock).map(({ ms, label }) => {
    const x = percent(positionOf(ms, axis))
    return html`<line x1="${x}" x2="${x}" y1="${height}" y2="${height + 4}"/><text x="${x}" y="${height + 16}">${label}</text>`
  })
  return html`<line class="chart-base" x2="100%" y1="${height}" y2="${height}"/>
<g class="chart-ticks">${ticks}</g>`
}
