import type { Window } from '../../shared/range.ts'
import { announce } from '../announce.ts'
import { type ChartFigure, chartFigure, type Pointer } from './chart-figure.ts'
import type { DataPoint } from './chart-points.ts'
import type { ChartContext } from './chart-values.ts'
import { nextPoint } from './next-point.ts'

/** What charts need to know about their page. */
export type ChartPage = ChartContext & { hrefOfWindow: ((window: Window) => string) | null }

/** The chosen point. It has a time instead of a column, because new content has other columns. */
type Chosen = { chart: string; ms: number; row: number; pointer: Pointer | null }
/** A selection of time that has not ended. `startX` is where the pointer was pressed. */
type Selection = { chart: string; fromMs: number; toMs: number; startX: number | null; hasMoved: boolean }

/** A pointer that moves less selects nothing. In CSS pixels. */
const minDrag = 5
/** The time for a second click, which zooms out instead of opening the events. */
const doubleClickMs = 250

/** Listens to the charts in an element. */
export function startCharts(root: HTMLElement, page: () => ChartPage) {
  const hidden = new Map<string, Set<string>>()
  let chosen: Chosen | null = null
  let selection: Selection | null = null
  /** Whether the next click ends a gesture and opens nothing. */
  let ignoresClick = false
  let isTouch = false
  let click: ReturnType<typeof setTimeout> | undefined
  /** The chart with the focus, which new content replaces. */
  let focused: string | null = null

  const figures = (): ChartFigure[] =>
    [...root.querySelectorAll<HTMLElement>('.chart[data-plot]')].flatMap(element => {
      const name = element.closest<HTMLElement>('[data-fragment]')?.dataset.fragment ?? ''
      const names = hidden.get(name) ?? new Set()
      hidden.set(name, names)
      return chartFigure(element, names) ?? []
    })
  const figureAt = (target: EventTarget | null) =>
    target instanceof Element ? figures().find(({ element }) => element.contains(target)) : undefined
  const timeOf = (figure: ChartFigure, column: number) => figure.windowOf(column, column).fromMs

  /** Marks the chosen time and the selection in all charts. Returns the values of the chosen chart. */
  const show = (): string => {
    let spoken = ''
    for (const figure of figures()) {
      const window = selection?.hasMoved ? selected(figure, selection) : null
      const point = chosenPoint(figure)
      figure.select(window)
      if (chosen === null) figure.hide()
      else if (point === null) figure.mark(chosen.ms)
      else spoken = figure.show(point, { pointer: chosen.pointer, window }, page())
    }
    return spoken
  }
  const choose = (figure: ChartFigure, { x, y }: DataPoint, pointer: Pointer | null) => {
    chosen = { chart: figure.name, ms: timeOf(figure, x), row: y, pointer }
    return show()
  }
  const clear = () => {
    if (chosen === null && selection === null) return
    chosen = null
    selection = null
    show()
  }
  const chosenPoint = (figure: ChartFigure): DataPoint | null => {
    const x = chosen?.chart === figure.name ? figure.columnAt(chosen.ms) : null
    return chosen === null || x === null ? null : { x, y: chosen.row }
  }
  const go = (window: Window) => {
    const href = page().hrefOfWindow?.(window)
    clear()
    if (href !== undefined) location.assign(href)
  }

  const onPointerMove = (event: PointerEvent) => {
    const figure = selection?.startX == null ? figureAt(event.target) : byName(selection.chart)
    if (figure === undefined) return event.pointerType === 'touch' ? undefined : clear()
    const point = figure.pointAt(event)
    // The button was released outside the charts.
    if (selection?.startX != null && (event.buttons & 1) === 0) selection = null
    if (selection?.startX != null) {
      const distance = Math.abs(event.clientX - selection.startX)
      const hasMoved = selection.hasMoved || distance >= minDrag
      if (hasMoved && !selection.hasMoved) figure.element.setPointerCapture(event.pointerId)
      selection = { ...selection, toMs: timeOf(figure, point.x), hasMoved }
    }
    choose(figure, point, event)
  }
  const byName = (name: string) => figures().find(figure => figure.name === name)
  const onPointerDown = (event: PointerEvent) => {
    ignoresClick = false
    isTouch = event.pointerType === 'touch'
    const figure = figureAt(event.target)
    if (figure === undefined) return clear()
    if (event.button !== 0 || event.ctrlKey || event.metaKey) return
    const point = figure.pointAt(event)
    // The first tap shows the values; the second one opens the events.
    ignoresClick = isTouch && chosenPoint(figure)?.x !== point.x
    const fromMs = timeOf(figure, point.x)
    selection =
      page().hrefOfWindow === null
        ? null
        : { chart: figure.name, fromMs, toMs: fromMs, startX: event.clientX, hasMoved: false }
    choose(figure, point, event)
  }
  const onPointerUp = () => {
    if (selection?.startX == null) return
    const ended = selection
    const figure = byName(ended.chart)
    selection = null
    if (!ended.hasMoved || figure === undefined) return
    // The browser also sends a click to the element under the pointer.
    ignoresClick = true
    go(selected(figure, ended))
  }
  const cancel = () => {
    ignoresClick = selection?.startX != null && selection.hasMoved
    selection = null
    show()
  }
  const onPointerLeave = (event: PointerEvent) => {
    // A finger that leaves the screen leaves the chart, and the values remain.
    if (event.pointerType !== 'touch' && selection?.startX == null) clear()
  }

  const onClick = (event: MouseEvent) => {
    const figure = figureAt(event.target)
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (figure === undefined || link === null) return
    if (ignoresClick) {
      ignoresClick = false
      event.preventDefault()
    } else if (event.detail > 0 && !isTouch && page().hrefOfWindow !== null && !hasModifier(event)) {
      const href = link.getAttribute('href')
      event.preventDefault()
      clearTimeout(click)
      if (href !== null && event.detail === 1) click = setTimeout(() => location.assign(href), doubleClickMs)
    }
  }
  const onDoubleClick = (event: MouseEvent) => {
    const figure = figureAt(event.target)
    if (figure === undefined || isTouch) return
    clearTimeout(click)
    go(twiceAsLong(figure.plot.window, Date.now()))
  }

  const onKeyDown = (event: KeyboardEvent) => {
    const figure = figureAt(event.target)
    if (figure === undefined || event.target !== figure.element || hasModifier(event, 'shift')) return
    const from = chosenPoint(figure)
    if (event.key === 'Enter') {
      const href = from && figure.hrefOf(from)
      if (selection?.hasMoved) go(selected(figure, selection))
      else if (href !== null) location.assign(href)
    } else if (event.key === 'Escape') {
      if (selection === null && chosen === null) return
      if (selection === null) clear()
      else cancel()
    } else {
      const to = nextPoint(figure.points, from, event.key)
      if (to === null) return
      const toMs = timeOf(figure, to.x)
      const isSelecting = event.shiftKey && from !== null && page().hrefOfWindow !== null
      selection = isSelecting
        ? {
            ...{ chart: figure.name, fromMs: timeOf(figure, from.x), startX: null },
            ...selection,
            ...{ toMs, hasMoved: true },
          }
        : null
      announce(choose(figure, to, null))
    }
    event.preventDefault()
    event.stopPropagation()
  }
  /** Escape cancels a drag, wherever the focus is. */
  const onEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || selection?.startX == null) return
    cancel()
    event.preventDefault()
    event.stopPropagation()
  }
  const onFocusIn = (event: FocusEvent) => {
    focused = figureAt(event.target)?.name ?? null
  }
  const onFocusOut = () => chosen?.pointer === null && clear()
  /** A drag must not drag the link. */
  const onDragStart = (event: DragEvent) => figureAt(event.target) && event.preventDefault()
  const onOutside = (event: PointerEvent) => {
    focused = null
    if (!(event.target instanceof Node && root.contains(event.target))) clear()
  }

  const stop = new AbortController()
  const { signal } = stop
  root.addEventListener('pointermove', onPointerMove, { signal })
  root.addEventListener('pointerdown', onPointerDown, { signal })
  root.addEventListener('pointerup', onPointerUp, { signal })
  root.addEventListener('pointercancel', cancel, { signal })
  root.addEventListener('pointerleave', onPointerLeave, { signal })
  root.addEventListener('click', onClick, { signal })
  root.addEventListener('dblclick', onDoubleClick, { signal })
  root.addEventListener('keydown', onKeyDown, { signal })
  root.addEventListener('focusin', onFocusIn, { signal })
  root.addEventListener('focusout', onFocusOut, { signal })
  root.addEventListener('dragstart', onDragStart, { signal })
  document.addEventListener('pointerdown', onOutside, { signal })
  document.addEventListener('keydown', onEscape, { signal, capture: true })
  return {
    /** Continues in charts that have replaced others. */
    refresh() {
      show()
      if (document.activeElement === document.body && focused !== null) byName(focused)?.element.focus()
    },
    stop: () => stop.abort(),
  }
}

function selected(figure: ChartFigure, { fromMs, toMs }: Selection): Window {
  return figure.windowOf(figure.columnAt(fromMs) ?? 0, figure.columnAt(toMs) ?? 0)
}

/** Returns a window of twice the length around the same middle. It ends at the current time at the latest. */
function twiceAsLong({ fromMs, toMs }: Window, nowMs: number): Window {
  const lengthMs = toMs - fromMs
  const endMs = Math.min(toMs + lengthMs / 2, Math.max(toMs, nowMs))
  return { fromMs: Math.floor(endMs - 2 * lengthMs), toMs: Math.floor(endMs) }
}

function hasModifier(event: MouseEvent | KeyboardEvent, except?: 'shift'): boolean {
  return event.ctrlKey || event.metaKey || event.altKey || (event.shiftKey && except !== 'shift')
}
