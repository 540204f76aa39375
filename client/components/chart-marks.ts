import type { DataPoint } from './chart-points.ts'

/** A position and size as fractions of the plot. */
type Box = { left: number; width?: number; top?: number; height?: number }

/** Creates the marks in a plot: the selected time range, the crosshair, the heat map cell, and a dot on each line. */
export function createMarks(plot: HTMLElement, heightPx: number, tones: readonly string[]) {
  const layer = plot.appendChild(document.createElement('div'))
  layer.className = 'chart-marks'
  // The height excludes the time axis below the plot.
  layer.style.height = `${heightPx}px`
  const selection = createMark(layer, 'chart-selection')
  const crosshair = createMark(layer, 'chart-crosshair')
  const cell = createMark(layer, 'chart-cell')
  const dots = tones.map(tone => createMark(layer, 'chart-dot', tone))
  return {
    /** Shows the crosshair, and a dot at each known height. */
    show(share: number, heights: readonly (number | null)[]) {
      crosshair.show({ left: share })
      for (const [index, top] of heights.entries()) {
        if (top !== null) dots[index]?.show({ left: share, top })
      }
    },
    showCell({ x, y }: DataPoint, columns: number, rows: number) {
      cell.show({ left: x / columns, width: 1 / columns, top: y / rows, height: 1 / rows })
    },
    hide() {
      for (const mark of [crosshair, cell, ...dots]) mark.hide()
    },
    select(from: number, to: number) {
      selection.show({ left: from, width: to - from })
    },
    unselect: selection.hide,
  }
}

function createMark(parent: HTMLElement, className: string, tone?: string) {
  const mark = parent.appendChild(document.createElement('div'))
  mark.className = className
  mark.hidden = true
  if (tone !== undefined) mark.dataset.tone = tone
  return {
    show(box: Box) {
      for (const [name, share] of Object.entries(box)) mark.style.setProperty(name, `${share * 100}%`)
      mark.hidden = false
    },
    hide() {
      mark.hidden = true
    },
  }
}
