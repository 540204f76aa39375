import { markersAt } from '../../shared/chart-plot.ts'
import type { Window } from '../../shared/range.ts'
import { type Html, html } from '../html/html.ts'
import { percent, positionOf } from './axis.ts'

/** The start of a release. `label` appears above its line and in tables, and `tooltip` in tooltips, before the time. */
export type Marker = { ms: number; label: string; tooltip: string }

/** Plot widths in CSS pixels, from phones to wide screens. Each has its own labels, which also fit in wider plots. */
const plotWidths = [200, 300, 500, 1000, 1500]
/** The average width of a letter in CSS pixels. */
const letterWidth = 6.5
/** The smallest distance between labels in CSS pixels. */
const gap = 6
const maxNameLength = 24

/**
 * Draws a vertical line for each marker. Above the lines are their labels. Labels that would overlap are combined, so that
 * a line never stands next to only the name of another marker. The server does not know the plot width, so labels that
 * differ by width state the widths (`data-widths`) at which the style sheet shows them.
 */
export function drawMarkers(markers: readonly Marker[], axis: Window, height: number): Html | null {
  const placed = markers
    .map(({ ms, label }) => ({ share: positionOf(ms, axis), name: shortened(label, maxNameLength) }))
    .filter(({ share }) => share >= 0 && share < 1)
    .sort((a, b) => a.share - b.share)
  if (placed.length === 0) return null
  const lines = placed.map(({ share }) => {
    const x = percent(share)
    return html`<line x1="${x}" x2="${x}" y2="${height}"/>`
  })
  const labels = new Map<string, Label & { widths: number[] }>()
  for (const width of plotWidths) {
    for (const label of labelsAt(placed, width)) {
      const key = JSON.stringify(label)
      labels.set(key, { ...label, widths: [...(labels.get(key)?.widths ?? []), width] })
    }
  }
  return html`<svg class="chart-markers" width="100%" height="${height}" aria-hidden="true">${lines}${[...labels.values()].map(drawLabel)}</svg>`
}

/** Returns the labels of the markers in a bucket or, if it has none, of the newest marker before it. */
export function namesAt(markers: readonly Marker[], bucket: Window): string {
  const labels = markersAt(markers, bucket).map(({ label }) => label)
  return labels.join(', ') || '–'
}

type Placed = { share: number; name: string }
type Label = { share: number; isEnd: boolean; text: string }

function drawLabel({ share, isEnd, text, widths }: Label & { widths: number[] }): Html {
  const anchor = isEnd ? html` text-anchor="end"` : null
  const shownAt = widths.length < plotWidths.length ? html` data-widths="${widths.join(' ')}"` : null
  return html`<text x="${percent(share)}" y="-4"${anchor}${shownAt}>${text}</text>`
}

/** Returns the labels for a plot of this width. Each names as many of its markers as there is space for. */
function labelsAt(placed: readonly Placed[], width: number): Label[] {
  const groups: Group[] = []
  for (const { share, name } of placed) {
    let group = groupOf(share, share, [name], width)
    for (let last = groups.at(-1); last !== undefined && group.from < last.to + gap; last = groups.at(-1)) {
      groups.pop()
      group = groupOf(last.first, group.last, [...last.names, ...group.names], width)
    }
    groups.push(group)
  }
  let free = 0
  return groups.map(({ first, last, names, isEnd, ...group }, index) => {
    const next = groups[index + 1]
    const space = isEnd ? group.to - free : (next === undefined ? width : next.from - gap) - group.from
    const longer = names.map((_, fewer) => listed(names, names.length - fewer)).slice(0, -1)
    const text = longer.find(each => each.length * letterWidth <= space) ?? group.text
    free = (isEnd ? group.to : group.from + text.length * letterWidth) + gap
    return { share: isEnd ? last : first, isEnd, text }
  })
}

/** Markers with a common label. `from` and `to` are the ends of the shortest text of this label, in CSS pixels. */
type Group = {
  first: number
  last: number
  names: string[]
  isEnd: boolean
  text: string
  from: number
  to: number
}

/** The label is to the right of the first line or, if there is more space, to the left of the last line. */
function groupOf(first: number, last: number, names: string[], width: number): Group {
  const left = last * width
  const right = width - first * width
  const isEnd = listed(names, 1).length * letterWidth > right && left > right
  const text = listed(names, 1, Math.floor((isEnd ? left : right) / letterWidth))
  const length = text.length * letterWidth
  const from = isEnd ? left - length : first * width
  return { first, last, names, isEnd, text, from, to: from + length }
}

/** Lists the first names and counts the others: `3.9.0, 3.9.1 +2`. Cuts off a single name that is too long. */
function listed(names: string[], count: number, maxLength = Number.POSITIVE_INFINITY): string {
  const others = names.length > count ? ` +${names.length - count}` : ''
  const text = names.slice(0, count).join(', ')
  return shortened(text, maxLength - others.length) + others
}

function shortened(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text
}
