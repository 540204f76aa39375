import type { Window } from '../../shared/range.ts'
import { type Html, html } from '../html/html.ts'
import { percent, placeOf } from './axis.ts'

/** Something that happened at an instant. `label` stands at its line where there is room, `words` in the read-outs. */
export type Marker = { ms: number; label: string; words: string }

/** Widths of a plot, from a phone's to a wide screen's, and of a letter of its labels, in CSS pixels. */
const plotWidths = [250, 500, 1000]
const letterWidth = 6.5
const longestLabel = 24

/**
 * A line for each instant, across the plot, its name above where there is room: the newest has its name first. The
 * width of the plot is not known here, so each name says how wide a plot must be to have room for it, and the style
 * sheet shows it there. What has none is told by the list that a screen gives beside its charts.
 */
export function drawMarkers(markers: readonly Marker[], axis: Window, height: number): Html | null {
  const placed = markers
    .map(({ ms, label }) => ({ ms, share: placeOf(ms, axis), text: shortened(label) }))
    .filter(({ share }) => share >= 0 && share < 1)
    .sort((a, b) => b.ms - a.ms)
  if (placed.length === 0) return null
  const named: (Placed & { from: number })[] = []
  for (const width of plotWidths) {
    for (const each of placed) {
      const isFree = !named.some(other => other.text === each.text && other.ms === each.ms)
      if (isFree && hasRoom(each, named, width)) named.push({ ...each, from: width })
    }
  }
  const lines = placed.map(({ share }) => {
    const x = percent(share)
    return html`<line x1="${x}" x2="${x}" y1="0" y2="${height}"/>`
  })
  const names = named.map(
    ({ share, text, from }) =>
      html`<text x="${percent(share)}" y="-4" data-from="${from}"${share > 0.5 ? html` text-anchor="end"` : null}>${text}</text>`,
  )
  return html`<svg class="chart-markers" width="100%" height="${height}" aria-hidden="true">${lines}${names}</svg>`
}

type Placed = { ms: number; share: number; text: string }

/** On a plot of this width, and so on each wider one: towards the middle a name has ever more room. */
function hasRoom(each: Placed, others: readonly Placed[], width: number): boolean {
  const { from, to } = extent(each, width)
  if (from < 0 || to > width) return false
  return !others.some(other => {
    const taken = extent(other, width)
    return from < taken.to && to > taken.from
  })
}

/** Right of its line, and left of it in the second half. */
function extent({ share, text }: Placed, width: number): { from: number; to: number } {
  const place = share * width
  const length = text.length * letterWidth
  return share > 0.5 ? { from: place - length, to: place } : { from: place, to: place + length }
}

function shortened(label: string): string {
  return label.length > longestLabel ? `${label.slice(0, longestLabel - 1)}…` : label
}
