import type { ChartPlot, PlotTimes } from '../../shared/chart-plot.ts'
import { type DataPoint, pointsOf } from './plot-points.ts'

/** The interactive behaviour of a server-rendered chart. */
export type Plot = {
  element: HTMLElement
  points: readonly DataPoint[]
  /** Whether the chart is a heat map, in which each column has several rows. */
  isMap: boolean
  /** Returns the column and row at a viewport position. */
  at(point: { clientX: number; clientY: number }): { x: number; y: number }
  /** Marks a column and shows the point's tooltip. If `isAnnounced` is true, screen readers announce the tooltip. */
  mark(x: number, point: DataPoint | null, isAnnounced: boolean): void
  clear(): void
}

const svg = 'http://www.w3.org/2000/svg'

const targets = new WeakMap<HTMLElement, ReturnType<typeof createTarget>>()

/** Makes a server-rendered chart interactive. Returns `null` if the chart has no pointer target. */
export function attachPlot(element: HTMLElement, plot: ChartPlot, times: PlotTimes): Plot | null {
  const layer = element.querySelector<SVGSVGElement>(':scope > .chart-target')
  const link = layer?.querySelector('a')
  if (!layer || !link) return null
  // Create the target only once, because the element stays in the document if the next page has the same chart.
  const target = targets.get(element) ?? createTarget(element, layer)
  targets.set(element, target)
  const { column, cell, box, tableHref } = target
  const isMap = plot.kind === 'map'
  const [width, height] = [Math.max(times.labels.length, 1), isMap ? plot.bands.length : 1]
  const clear = () => {
    box.hidden = true
    for (const shape of [column, cell]) shape.style.display = 'none'
    link.setAttribute('href', tableHref)
  }
  clear()
  return {
    element,
    points: pointsOf(plot, times),
    isMap,
    at({ clientX, clientY }) {
      const bounds = layer.getBoundingClientRect()
      return {
        x: Math.floor(((clientX - bounds.left) / bounds.width) * width),
        y: isMap ? Math.floor(((clientY - bounds.top) / bounds.height) * height) : 0,
      }
    },
    mark(x, point, isAnnounced) {
      clear()
      place(column, x / width, 0, 1 / width, 1)
      if (point?.href) link.setAttribute('href', point.href)
      else link.removeAttribute('href')
      if (point === null) return
      if (isMap) place(cell, x / width, point.y / height, 1 / width, 1 / height)
      box.hidden = false
      box.ariaLive = isAnnounced ? 'polite' : 'off'
      box.textContent = point.text
      // Opens towards the middle, so it never overflows the page.
      box.classList.toggle('chart-tooltip-before', x >= width / 2)
      box.style.left = `${((x + (x >= width / 2 ? 0 : 1)) / width) * 100}%`
    },
    clear,
  }
}

/** Adds the tooltip, and the shapes that mark a point. */
function createTarget(element: HTMLElement, layer: SVGSVGElement) {
  const shape = (name: string) => {
    const rect = layer.appendChild(document.createElementNS(svg, 'rect'))
    rect.classList.add(name)
    return rect
  }
  const box = element.appendChild(document.createElement('div'))
  box.className = 'chart-tooltip'
  const name = element.querySelector('[role=img]')?.getAttribute('aria-label') ?? ''
  element.tabIndex = 0
  element.setAttribute('role', 'group')
  element.setAttribute('aria-label', `${name}. Arrow keys move between values, Enter opens the events.`)
  return {
    column: shape('chart-column'),
    cell: shape('chart-cell'),
    box,
    tableHref: layer.querySelector('a')?.getAttribute('href') ?? '',
  }
}

/** Positions a shape. The position and size are fractions of the plot. */
function place(shape: SVGRectElement, x: number, y: number, width: number, height: number): void {
  for (const [name, share] of Object.entries({ x, y, width, height }))
    shape.setAttribute(name, `${share * 100}%`)
  shape.style.display = ''
}
