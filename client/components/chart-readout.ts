import type { Values } from './chart-values.ts'

/** The distance between a readout and its point, in CSS pixels. */
const gap = 12
/** The minimum distance between a readout and the edge of the viewport, in CSS pixels. */
const margin = 4

/** A position in a plot, in CSS pixels. The readout must not cover the range from `fromX` to `toX`. */
export type Anchor = { fromX: number; toX: number; y: number }

/** Creates the box that shows the values of a point next to the point or the pointer. */
export function createReadout(parent: HTMLElement) {
  const box = parent.appendChild(document.createElement('div'))
  box.className = 'chart-readout'
  // Screen readers get the values as an announcement.
  box.ariaHidden = 'true'
  box.hidden = true
  return {
    show(values: Values, anchor: Anchor) {
      box.replaceChildren(...rowsOf(values))
      box.hidden = false
      place(box, parent.getBoundingClientRect(), anchor)
    },
    hide() {
      box.hidden = true
    },
  }
}

function rowsOf({ title, rows, notes }: Values): HTMLElement[] {
  return [
    element('strong', '', title),
    ...rows.flatMap(({ name, tone, value, change }) => {
      const swatch = element('i', 'chart-swatch', '')
      if (tone !== null) swatch.dataset.tone = tone
      const changed = element('span', 'chart-change', change?.text ?? '')
      if (change?.isWorse != null) changed.dataset.tone = change.isWorse ? 'bad' : 'ok'
      return [swatch, element('span', '', name), element('b', '', value), changed]
    }),
    ...notes.map(note => element('em', '', note)),
  ]
}

function element(name: string, className: string, text: string): HTMLElement {
  const created = document.createElement(name)
  created.className = className
  created.textContent = text
  return created
}

/** Places the box to the right of the point, else to its left, else above or below the plot. */
function place(box: HTMLElement, plot: DOMRect, { fromX, toX, y }: Anchor): void {
  const { offsetWidth: width, offsetHeight: height } = box
  const { clientWidth, clientHeight } = document.documentElement
  const right = toX + gap
  const left = fromX - gap - width
  const fitsRight = plot.left + right + width <= clientWidth - margin
  const fitsLeft = plot.left + left >= margin
  if (fitsRight || fitsLeft) {
    const below = y + gap
    const isBelow = plot.top + below + height <= clientHeight - margin
    move(box, fitsRight ? right : left, isBelow ? below : y - gap - height)
    return
  }
  const centred = (fromX + toX - width) / 2
  const least = margin - plot.left
  const most = clientWidth - margin - width - plot.left
  const above = -gap - height
  move(box, Math.max(least, Math.min(centred, most)), plot.top + above >= margin ? above : plot.height + gap)
}

function move(box: HTMLElement, x: number, y: number): void {
  box.style.left = `${x}px`
  box.style.top = `${y}px`
}
