/** A point of a chart with a tooltip: a bucket, or a cell of a heat map. */
export type DataPoint = { x: number; y: number; text: string; href: string | null; element: Element }

/** The interactive behaviour of a server-rendered chart. */
export type Plot = {
  element: HTMLElement
  points: readonly DataPoint[]
  /** A heat map, whose points have rows as well as columns. */
  isMap: boolean
  /** The column and row at a position in the viewport. */
  at(point: { clientX: number; clientY: number }): { x: number; y: number }
  /** Marks a column and shows the tooltip of the point. `isAnnounced` also announces it to screen readers. */
  mark(x: number, point: DataPoint | null, isAnnounced: boolean): void
  clear(): void
}

const svg = 'http://www.w3.org/2000/svg'

const plots = new WeakMap<HTMLElement, Plot>()

/** Attaches the behaviour, only once if pages share a chart. Returns `null` if the chart has no points. */
export function attachPlot(element: HTMLElement): Plot | null {
  const plot = plots.get(element) ?? createPlot(element)
  if (plot !== null) plots.set(element, plot)
  return plot
}

function createPlot(element: HTMLElement): Plot | null {
  const layer = element.querySelector<SVGSVGElement>(':scope > .chart-read, :scope > .chart-cells')
  if (layer === null) return null
  const { width, height } = layer.viewBox.baseVal
  const isMap = layer.classList.contains('chart-cells')
  const points = [...layer.querySelectorAll('a, g:not([data-shade])')].map(readPoint)
  const column = layer.appendChild(document.createElementNS(svg, 'rect'))
  column.classList.add('chart-column')
  column.setAttribute('height', String(height))
  const box = element.appendChild(document.createElement('div'))
  box.className = 'chart-tooltip'
  const clear = () => {
    box.hidden = true
    column.style.display = 'none'
    layer.querySelector('[data-marked]')?.removeAttribute('data-marked')
  }
  makeFocusable(element)
  clear()
  return {
    element,
    points,
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
      column.setAttribute('x', String(x))
      column.style.display = ''
      if (point === null) return
      point.element.setAttribute('data-marked', '')
      box.hidden = false
      box.ariaLive = isAnnounced ? 'polite' : 'off'
      box.textContent = point.text
      // Opens towards the middle, so that it never overflows the page.
      box.classList.toggle('chart-tooltip-before', x >= width / 2)
      box.style.left = `${((x + (x >= width / 2 ? 0 : 1)) / width) * 100}%`
    },
    clear,
  }
}

/** Reads a point, and removes its `<title>`, because the browser would show a second tooltip. */
function readPoint(element: Element): DataPoint {
  const rect = element.querySelector('rect')
  const title = element.querySelector('title')
  title?.remove()
  return {
    x: Number(rect?.getAttribute('x')),
    y: Number(rect?.getAttribute('y')),
    text: title?.textContent ?? '',
    href: element.getAttribute('href'),
    element,
  }
}

function makeFocusable(element: HTMLElement): void {
  const name = element.querySelector('[role=img]')?.getAttribute('aria-label') ?? ''
  element.tabIndex = 0
  element.setAttribute('role', 'group')
  element.setAttribute('aria-label', `${name}. Arrow keys move between values, Enter opens the events.`)
}
