import type { Window } from '../../shared/range.ts'
import { percent, placeOf } from './axis.ts'
import { type Html, html } from './html.ts'

/** Something that happened at an instant. `label` stands at its line where there is room, `words` in the read-outs. */
export type Marker = { ms: number; label: string; words: string }

/** The narrowest plot, on a phone, and the width of a letter of its labels, in CSS pixels. */
const narrowestPlot = 250
const letterWidth = 6.5
const longestLabel = 24

/**
 * A line for each instant, across the plot, its name above. The newest has its name first; one without room has none,
 * and is told by the list that a screen gives beside its charts.
 */
export function drawMarkers(markers: readonly Marker[], axis: Window, height: number): Html | null {
  const inside = markers.filter(({ ms }) => ms >= axis.fromMs && ms < axis.toMs).sort((a, b) => b.ms - a.ms)
  if (inside.length === 0) return null
  const taken: { from: number; to: number }[] = []
  const drawn = inside.map(({ ms, label }) => {
    const share = placeOf(ms, axis)
    const x = percent(share)
    const line = html`<line x1="${x}" x2="${x}" y1="0" y2="${height}"/>`
    const text = label.length > longestLabel ? `${label.slice(0, longestLabel - 1)}…` : label
    const width = text.length * letterWidth
    const place = share * narrowestPlot
    const isLeft = place + width > narrowestPlot
    const from = isLeft ? place - width : place
    if (from < 0 || taken.some(other => from < other.to && from + width > other.from)) return line
    taken.push({ from, to: from + width })
    return html`${line}<text x="${x}" y="-4"${isLeft ? html` text-anchor="end"` : null}>${text}</text>`
  })
  return html`<svg class="chart-markers" width="100%" height="${height}" aria-hidden="true">${drawn}</svg>`
}
