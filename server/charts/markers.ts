import type { Window } from '../../shared/range.ts'
import { type Html, html } from '../html/html.ts'
import { percent, positionOf } from './axis.ts'

/** A point in time, such as a deployment. `label` appears next to the marker if there is space, `tooltip` in tooltips. */
export type Marker = { ms: number; label: string; tooltip: string }

/** Plot widths in CSS pixels, from phones to wide screens. */
const plotWidths = [250, 500, 1000]
/** The average width of a letter in CSS pixels. */
const letterWidth = 6.5
const maxLabelLength = 24

/**
 * Draws a vertical line for each marker, with its label above if there is space. Newer markers take precedence. The
 * server does not know the plot width, so each label specifies the minimum plot width (`data-from`) at which the style sheet
 * shows it. The screen lists all markers next to the charts.
 */
export function drawMarkers(markers: readonly Marker[], axis: Window, height: number): Html | null {
  const placed = markers
    .map(({ ms, label }) => ({ ms, share: positionOf(ms, axis), text: shortened(label) }))
    .filter(({ share }) => share >= 0 && share < 1)
    .sort((a, b) => b.ms - a.ms)
  if (placed.length === 0) return null
  const labelled: (Placed & { from: number })[] = []
  for (const width of plotWidths) {
    for (const each of placed) {
      const isLabelled = labelled.some(other => other.text === each.text && other.ms === each.ms)
      if (!isLabelled && fits(each, labelled, width)) labelled.push({ ...each, from: width })
    }
  }
  const lines = placed.map(({ share }) => {
    const x = percent(share)
    return html`<line x1="${x}" x2="${x}" y2="${height}"/>`
  })
  const labels = labelled.map(
    ({ share, text, from }) =>
      html`<text x="${percent(share)}" y="-4" data-from="${from}"${share > 0.5 ? html` text-anchor="end"` : null}>${text}</text>`,
  )
  return html`<svg class="chart-markers" width="100%" height="${height}" aria-hidden="true">${lines}${labels}</svg>`
}

type Placed = { ms: number; share: number; text: string }

/** Whether a label fits in a plot of this width, and therefore in every wider plot. */
function fits(each: Placed, others: readonly Placed[], width: number): boolean {
  const { from, to } = extent(each, width)
  if (from < 0 || to > width) return false
  return !others.some(other => {
    const taken = extent(other, width)
    return from < taken.to && to > taken.from
  })
}

/** In the left half of the plot, a label is to the right of its line; in the right half, to the left. */
function extent({ share, text }: Placed, width: number): { from: number; to: number } {
  const place = share * width
  const length = text.length * letterWidth
  return share > 0.5 ? { from: place - length, to: place } : { from: place, to: place + length }
}

function shortened(label: string): string {
  return label.length > maxLabelLength ? `${label.slice(0, maxLabelLength - 1)}…` : label
}
