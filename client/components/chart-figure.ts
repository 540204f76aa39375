import { type ChartPlot, columnAt, windowOfColumn } from '../../shared/chart-plot.ts'
import { drawnColumns } from '../../shared/chart-scale.ts'
import type { Window } from '../../shared/range.ts'
import { createDrawing } from './chart-drawing.ts'
import { createLegend } from './chart-legend.ts'
import { createMarks } from './chart-marks.ts'
import { type DataPoint, hrefOfPoint, pointsOf } from './chart-points.ts'
import { createReadout } from './chart-readout.ts'
import { type ChartContext, spokenValues, valuesAt, windowLabel } from './chart-values.ts'

/** A position in the viewport, in CSS pixels. */
export type Pointer = { clientX: number; clientY: number }
/** A server-rendered chart with its interactive parts. */
export type ChartFigure = ReturnType<typeof attach>

const figures = new WeakMap<Element, ChartFigure>()

/**
 * Returns a chart with its interactive parts, which the first call adds; `null` if the chart has no plot.
 * @param hidden the names of the series that the visitor has hidden
 */
export function chartFigure(figure: HTMLElement, hidden: Set<string>): ChartFigure | null {
  const existing = figures.get(figure)
  if (existing !== undefined) return existing
  const element = figure.querySelector<HTMLElement>('.chart-plot')
  const layer = element?.querySelector<SVGSVGElement>(':scope > :is(.chart-read, .chart-target)')
  if (!element || !layer || figure.dataset.plot === undefined) return null
  const created = attach(figure, element, layer, JSON.parse(figure.dataset.plot), hidden)
  figures.set(figure, created)
  return created
}

function attach(
  figure: HTMLElement,
  element: HTMLElement,
  layer: SVGSVGElement,
  plot: ChartPlot,
  hidden: Set<string>,
) {
  const height = layer.getBoundingClientRect().height
  const rows = plot.kind === 'map' ? plot.bands.length : 1
  const columns = Math.max(plot.columns, 1)
  const series = plot.kind === 'map' ? [] : plot.series
  const drawing = plot.kind === 'map' ? null : createDrawing(figure, plot, height, hidden)
  const names = series.map(({ name }) => name)
  if (drawing !== null && series.length > 1) createLegend(figure, names, hidden, drawing.update)
  const isLine = plot.kind === 'line' || plot.kind === 'area'
  const marks = createMarks(element, height, isLine ? series.map(({ tone }) => tone) : [])
  const readout = createReadout(element)
  const links = createLinks(layer, plot)
  addKeyboard(element)

  /** The dots' distances from the top, as fractions of the plot height. Columns in which no line is drawn have no dots. */
  const heightsAt = (column: number): (number | null)[] => {
    if (plot.kind === 'map' || drawing === null || !isLine || column >= drawnColumns(plot)) return []
    return series.map(({ values }, index) => {
      const value = values[column] ?? null
      return value === null || !drawing.isShown(index) ? null : drawing.y(value) / height
    })
  }
  const hide = () => {
    marks.hide()
    readout.hide()
    links.reset()
  }

  return {
    element,
    name: figure.closest<HTMLElement>('[data-fragment]')?.dataset.fragment ?? '',
    plot,
    points: pointsOf(plot),
    hide,
    hrefOf: links.hrefOf,
    columnAt: (ms: number) => columnAt(plot, ms),
    /** Returns the point at a position. */
    pointAt({ clientX, clientY }: Pointer): DataPoint {
      const bounds = layer.getBoundingClientRect()
      return {
        x: within(Math.floor(((clientX - bounds.left) / bounds.width) * columns), columns),
        y: within(Math.floor(((clientY - bounds.top) / bounds.height) * rows), rows),
      }
    },
    /** Marks a time without showing its values. */
    mark(ms: number) {
      hide()
      const x = columnAt(plot, ms)
      if (x !== null) marks.show((x + 0.5) / columns, heightsAt(x))
    },
    /**
     * Marks a point and shows its values.
     * @param view.pointer `null` if the point was chosen with the keyboard
     * @param view.window the selected time range, which is shown instead of the values of the point
     * @returns the values for screen readers
     */
    show(
      point: DataPoint,
      view: { pointer: Pointer | null; window: Window | null },
      context: ChartContext,
    ): string {
      const { pointer, window } = view
      hide()
      const share = (point.x + 0.5) / columns
      marks.show(share, heightsAt(point.x))
      links.set(point)
      const values =
        window === null
          ? valuesAt(plot, point, context, index => drawing?.isShown(index) ?? true)
          : { title: windowLabel(window, plot, context.clock), rows: [], notes: [] }
      if (values === null) return ''
      if (plot.kind === 'map') marks.showCell(point, columns, rows)
      const bounds = layer.getBoundingClientRect()
      const centre = share * bounds.width
      const pointerX = pointer === null ? centre : pointer.clientX - bounds.left
      readout.show(values, {
        fromX: Math.min(centre, pointerX),
        toX: Math.max(centre, pointerX),
        y: pointer === null ? ((point.y + 0.5) / rows) * height : pointer.clientY - bounds.top,
      })
      return spokenValues(values)
    },
    /** Marks the selected time range. With `null`, removes the mark. */
    select(window: Window | null) {
      const from = window === null ? null : columnAt(plot, window.fromMs)
      const to = window === null ? null : columnAt(plot, window.toMs - 1)
      if (from === null || to === null) marks.unselect()
      else marks.select(from / columns, (to + 1) / columns)
    },
    /** Returns the time range from one column to another, in either order. */
    windowOf(first: number, last: number): Window {
      const { fromMs } = windowOfColumn(plot, Math.min(first, last))
      return { fromMs, toMs: windowOfColumn(plot, Math.max(first, last)).toMs }
    },
  }
}

/** The links of a plot: one per column, or one for the whole plot, which leads to the events of the chosen point. */
function createLinks(layer: SVGSVGElement, plot: ChartPlot) {
  // The readout replaces the browser's tooltips.
  for (const title of layer.querySelectorAll('title')) title.remove()
  const links = [...layer.querySelectorAll('a')]
  const shared = layer.classList.contains('chart-target') ? links[0] : undefined
  const tableHref = shared?.getAttribute('href') ?? ''
  const hrefOf = (point: DataPoint) =>
    shared === undefined ? (links[point.x]?.getAttribute('href') ?? null) : hrefOfPoint(plot, point)
  return {
    hrefOf,
    set(point: DataPoint) {
      const href = hrefOf(point)
      if (href === null) shared?.removeAttribute('href')
      else shared?.setAttribute('href', href)
    },
    reset: () => shared?.setAttribute('href', tableHref),
  }
}

/** Makes the plot a single tab stop. */
function addKeyboard(element: HTMLElement): void {
  const name = element.querySelector('[role=img]')?.getAttribute('aria-label') ?? ''
  element.tabIndex = 0
  element.setAttribute('role', 'group')
  element.setAttribute(
    'aria-label',
    `${name}. Arrow keys select values, Shift+arrow keys a time range. Enter opens events or zooms.`,
  )
}

function within(index: number, count: number): number {
  return Math.max(0, Math.min(index, count - 1))
}
