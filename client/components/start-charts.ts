import { listenToKeyboard } from './chart-keyboard.ts'
import { listenToPointer } from './chart-pointer.ts'
import { type ChartPage, createChartState } from './chart-state.ts'

/** Makes the charts in an element interactive. */
export function startCharts(root: HTMLElement, page: () => ChartPage) {
  const stop = new AbortController()
  const { signal } = stop
  const state = createChartState(root, page)
  /** The focused chart is stored by name, because a refresh replaces its element. */
  let focused: string | null = null

  listenToPointer(root, state, signal)
  listenToKeyboard(root, state, signal)
  document.addEventListener(
    'focusin',
    event => {
      focused = state.figureAt(event.target)?.name ?? null
    },
    { signal },
  )
  document.addEventListener(
    'pointerdown',
    event => {
      if (state.figureAt(event.target) === undefined) focused = null
    },
    { signal },
  )
  return {
    /** Restores the marks and the focus after the charts were replaced. */
    refresh() {
      state.show()
      if (document.activeElement === document.body && focused !== null)
        state.figureNamed(focused)?.element.focus()
    },
    stop: () => stop.abort(),
  }
}
