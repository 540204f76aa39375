/** A point of a drawn chart that tells something: a bucket, or a cell of a heat map. */
export type DataPoint = { x: number; y: number; text: string; href: string | null; element: Element }

/** One chart as the server drew it, with what a script adds to it. */
export type Plot = {
  element: HTMLElement
  points: readonly DataPoint[]
  /** Whether its points have rows too. */
  isMap: boolean
  /** The column and row under a point of the window. */
  at(point: { clientX: number; clientY: number }): { x: number; y: number }
  /** Marks a column, and tells what stands there, to a screen reader too where `aloud`; `null` tells nothing. */
  mark(x: number, point: DataPoint | null, aloud: boolean): void
  clear(): void
}

const svg = 'http://www.w3.org/2000/svg'

const known = new WeakMap<HTMLElement, Plot>()

/** Takes up a plot, once: a page that follows may show the same drawing. `null` for one without points. */
export function attachPlot(element: HTMLElement): Plot | null {
  const plot = known.get(element) ?? createPlot(element)
  if (plot !== null) known.set(element, plot)
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
  box.className = 'chart-told'
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
      const point = layer.getBoundingClientRect()
      return {
        x: Math.floor(((clientX - point.left) / point.width) * width),
        y: isMap ? Math.floor(((clientY - point.top) / point.height) * height) : 0,
      }
    },
    mark(x, point, aloud) {
      clear()
      column.setAttribute('x', String(x))
      column.style.display = ''
      if (point === null) return
      point.element.setAttribute('data-marked', '')
      box.hidden = false
      box.ariaLive = aloud ? 'polite' : 'off'
      box.textContent = point.text
      // Towards the middle of the plot: it never sticks out of the page.
      box.classList.toggle('chart-told-before', x >= width / 2)
      box.style.left = `${((x + (x >= width / 2 ? 0 : 1)) / width) * 100}%`
    },
    clear,
  }
}

/** The browser's own read-out comes late and would stand beside this one, so its text is taken out. */
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
  element.setAttribute('aria-label', `${name}. Arrow keys read it out, Enter leads to the events.`)
}
