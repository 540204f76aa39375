import { announce } from '../announce.ts'
import type { ChartFigure } from './chart-figure.ts'
import type { DataPoint } from './chart-points.ts'
import type { ChartState } from './chart-state.ts'
import { nextPoint } from './next-point.ts'

/** Lets visitors move through a chart's values, select a time range and zoom with the keyboard. */
export function listenToKeyboard(root: HTMLElement, state: ChartState, signal: AbortSignal): void {
  const onKeyDown = (event: KeyboardEvent) => {
    const figure = state.figureAt(event.target)
    if (figure === undefined || event.target !== figure.element) return
    if (event.ctrlKey || event.metaKey || event.altKey || !handle(event, figure)) return
    event.preventDefault()
    event.stopPropagation()
  }
  const handle = ({ key, shiftKey }: KeyboardEvent, figure: ChartFigure): boolean => {
    const from = state.chosenIn(figure)
    if (key === 'Enter') {
      const window = state.endSelection()
      const href = from && figure.hrefOf(from)
      if (window !== null) state.zoom(window)
      else if (href !== null) location.assign(href)
      return true
    }
    if (key === 'Escape') {
      if (state.chosen() === null) return false
      if (state.endSelection() === null) state.clear()
      else state.show()
      return true
    }
    const to = nextPoint(figure.points, from, key)
    if (to === null) return false
    move(figure, from, to, shiftKey)
    return true
  }
  const move = (figure: ChartFigure, from: DataPoint | null, to: DataPoint, isSelecting: boolean) => {
    if (!isSelecting || from === null || !state.canZoom()) state.endSelection()
    else {
      if (state.selection() === null) state.startSelection(figure, from, null)
      state.extendSelection(figure, to)
    }
    announce(state.choose(figure, to, null))
  }
  root.addEventListener('keydown', onKeyDown, { signal })
  // Values at the pointer stay visible when the chart loses focus.
  root.addEventListener('focusout', () => state.chosen()?.pointer === null && state.clear(), { signal })
}
