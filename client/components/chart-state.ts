import type { Window } from '../../shared/range.ts'
import { type ChartFigure, chartFigure, type Pointer } from './chart-figure.ts'
import type { DataPoint } from './chart-points.ts'
import type { ChartContext } from './chart-values.ts'

/** The page data that the charts use. */
export type ChartPage = ChartContext & { hrefOfWindow: ((window: Window) => string) | null }
export type ChartState = ReturnType<typeof createChartState>

/** The chosen point. It contains a time instead of a column, because a refresh of the page changes the columns. */
type Chosen = { chart: string; ms: number; row: number; pointer: Pointer | null }
/**
 * A time range that is being selected. `startX` is the pointer's `clientX` at the start of the drag; `null` for the keyboard.
 */
type Selection = { chart: string; fromMs: number; toMs: number; startX: number | null; hasMoved: boolean }

/** Creates the state that all charts in an element share: the chosen point, the selected time range and the hidden series. */
export function createChartState(root: HTMLElement, page: () => ChartPage) {
  const hidden = new Map<string, Set<string>>()
  let chosen: Chosen | null = null
  let selection: Selection | null = null

  const figures = (): ChartFigure[] =>
    [...root.querySelectorAll<HTMLElement>('.chart[data-plot]')].flatMap(element => {
      const name = element.closest<HTMLElement>('[data-fragment]')?.dataset.fragment ?? ''
      const names = hidden.get(name) ?? new Set()
      hidden.set(name, names)
      return chartFigure(element, names) ?? []
    })
  const timeOf = (figure: ChartFigure, { x }: DataPoint) => figure.windowOf(x, x).fromMs
  const selectedIn = (figure: ChartFigure): Window | null =>
    selection?.hasMoved
      ? figure.windowOf(figure.columnAt(selection.fromMs) ?? 0, figure.columnAt(selection.toMs) ?? 0)
      : null

  const state = {
    figureAt: (target: EventTarget | null) =>
      target instanceof Element ? figures().find(({ element }) => element.contains(target)) : undefined,
    figureNamed: (name: string) => figures().find(figure => figure.name === name),
    canZoom: () => page().hrefOfWindow !== null,
    chosen: () => chosen,
    selection: () => selection,
    chosenIn(figure: ChartFigure): DataPoint | null {
      const x = chosen?.chart === figure.name ? figure.columnAt(chosen.ms) : null
      return chosen === null || x === null ? null : { x, y: chosen.row }
    },
    /** Marks the chosen time and the selection in all charts. Returns the values of the chosen chart for screen readers. */
    show(): string {
      let spoken = ''
      for (const figure of figures()) {
        const window = selectedIn(figure)
        const point = state.chosenIn(figure)
        figure.select(window)
        if (chosen === null) figure.hide()
        else if (point === null) figure.mark(chosen.ms)
        else spoken = figure.show(point, { pointer: chosen.pointer, window }, page())
      }
      return spoken
    },
    choose(figure: ChartFigure, point: DataPoint, pointer: Pointer | null): string {
      chosen = { chart: figure.name, ms: timeOf(figure, point), row: point.y, pointer }
      return state.show()
    },
    /** Starts a selection. It selects nothing until it is extended. */
    startSelection(figure: ChartFigure, point: DataPoint, startX: number | null) {
      const fromMs = timeOf(figure, point)
      selection = { chart: figure.name, fromMs, toMs: fromMs, startX, hasMoved: false }
    },
    extendSelection(figure: ChartFigure, point: DataPoint) {
      if (selection !== null) selection = { ...selection, toMs: timeOf(figure, point), hasMoved: true }
    },
    /** Ends the selection. Returns the selected time range, or `null` if there is none. */
    endSelection(): Window | null {
      const figure = selection === null ? undefined : state.figureNamed(selection.chart)
      const window = figure === undefined ? null : selectedIn(figure)
      selection = null
      return window
    },
    clear() {
      if (chosen === null && selection === null) return
      chosen = null
      selection = null
      state.show()
    },
    zoom(window: Window) {
      const href = page().hrefOfWindow?.(window)
      state.clear()
      if (href !== undefined) location.assign(href)
    },
  }
  return state
}
