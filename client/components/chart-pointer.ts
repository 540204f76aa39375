import type { Window } from '../../shared/range.ts'
import type { ChartState } from './chart-state.ts'
import { hasModifier } from './has-modifier.ts'

/** The minimum horizontal movement that selects a time range, in CSS pixels. */
const minDrag = 5
/** How long to wait for a second click, which zooms out, before a single click opens the events. */
const doubleClickMs = 250

/** Lets a mouse, pen or finger show values, select a time range, zoom and open events. */
export function listenToPointer(root: HTMLElement, state: ChartState, signal: AbortSignal): void {
  /** Whether to ignore the next click, because it belongs to a drag or to a tap that only shows the values. */
  let ignoresClick = false
  let isTouch = false
  let click: ReturnType<typeof setTimeout> | undefined
  const isDragging = () => state.selection()?.startX != null

  const onPointerMove = (event: PointerEvent) => {
    // The button was released outside the charts.
    if (isDragging() && (event.buttons & 1) === 0) state.endSelection()
    const drag = isDragging() ? state.selection() : null
    const figure = drag === null ? state.figureAt(event.target) : state.figureNamed(drag.chart)
    if (figure === undefined) return event.pointerType === 'touch' ? undefined : state.clear()
    const point = figure.pointAt(event)
    if (drag !== null && drag.startX !== null) {
      const hasMoved = drag.hasMoved || Math.abs(event.clientX - drag.startX) >= minDrag
      if (hasMoved && !drag.hasMoved) figure.element.setPointerCapture(event.pointerId)
      if (hasMoved) state.extendSelection(figure, point)
    }
    state.choose(figure, point, event)
  }
  const onPointerDown = (event: PointerEvent) => {
    ignoresClick = false
    isTouch = event.pointerType === 'touch'
    const figure = state.figureAt(event.target)
    if (figure === undefined) return state.clear()
    if (event.button !== 0 || event.ctrlKey || event.metaKey) return
    const point = figure.pointAt(event)
    // The first tap shows the values; the second one opens the events.
    ignoresClick = isTouch && state.chosenIn(figure)?.x !== point.x
    state.endSelection()
    if (state.canZoom()) state.startSelection(figure, point, event.clientX)
    state.choose(figure, point, event)
  }
  const onPointerUp = () => {
    if (!isDragging()) return
    const window = state.endSelection()
    if (window === null) return
    // The browser also sends a click to the element under the pointer.
    ignoresClick = true
    state.zoom(window)
  }
  const cancel = () => {
    ignoresClick = state.endSelection() !== null
    state.show()
  }
  const onPointerLeave = (event: PointerEvent) => {
    // Lifting a finger also fires `pointerleave`, but the values must stay visible.
    if (event.pointerType !== 'touch' && !isDragging()) state.clear()
  }

  const onClick = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (link === null || state.figureAt(event.target) === undefined) return
    if (ignoresClick) {
      ignoresClick = false
      event.preventDefault()
    } else if (event.detail > 0 && !isTouch && state.canZoom() && !hasModifier(event)) {
      const href = link.getAttribute('href')
      event.preventDefault()
      if (href !== null && event.detail === 1) click = setTimeout(() => location.assign(href), doubleClickMs)
    }
  }
  const onDoubleClick = (event: MouseEvent) => {
    const figure = state.figureAt(event.target)
    if (figure !== undefined && !isTouch) state.zoom(zoomedOut(figure.plot.window, Date.now()))
  }
  /** Escape cancels a drag, wherever the focus is. */
  const onEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isDragging()) return
    cancel()
    event.preventDefault()
    event.stopPropagation()
  }
  const onAnyPointerDown = (event: PointerEvent) => {
    clearTimeout(click)
    if (!(event.target instanceof Node && root.contains(event.target))) state.clear()
  }

  root.addEventListener('pointermove', onPointerMove, { signal })
  root.addEventListener('pointerdown', onPointerDown, { signal })
  root.addEventListener('pointerup', onPointerUp, { signal })
  root.addEventListener('pointercancel', cancel, { signal })
  root.addEventListener('pointerleave', onPointerLeave, { signal })
  root.addEventListener('click', onClick, { signal })
  root.addEventListener('dblclick', onDoubleClick, { signal })
  // Keeps the browser from dragging the link.
  root.addEventListener('dragstart', event => state.figureAt(event.target) && event.preventDefault(), {
    signal,
  })
  document.addEventListener('pointerdown', onAnyPointerDown, { signal })
  document.addEventListener('keydown', onEscape, { signal, capture: true })
  signal.addEventListener('abort', () => clearTimeout(click))
}

/** Returns a window of twice the length with the same centre, moved back if it would end in the future. */
function zoomedOut({ fromMs, toMs }: Window, nowMs: number): Window {
  const lengthMs = toMs - fromMs
  const endMs = Math.min(toMs + lengthMs / 2, Math.max(toMs, nowMs))
  return { fromMs: Math.floor(endMs - 2 * lengthMs), toMs: Math.floor(endMs) }
}
