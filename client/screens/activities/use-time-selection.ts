import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useRef } from 'react'
import type { Window } from '../../../shared/range.ts'
import { announce } from '../../announce.ts'

/** The indexes of the bars at both ends of the selection; `to` may be less than `from`. */
type Bars = { from: number; to: number }

/**
 * Selects a time window in a server-rendered chart. Each bar's link contains its window.
 * @param zoom is called with the window that covers the selected bars
 * @returns the event handlers for the element around the chart
 */
export function useTimeSelection(frame: RefObject<HTMLElement | null>, zoom: (window: Window) => void) {
  const bars = useRef<Bars | null>(null)
  const dragged = useRef(false)

  const links = () => [...(frame.current?.querySelectorAll<SVGAElement>('.chart-read a') ?? [])]
  const mark = (selected: Bars | null) => {
    bars.current = selected
    for (const [index, link] of links().entries()) {
      const isSelected =
        selected !== null &&
        index >= Math.min(selected.from, selected.to) &&
        index <= Math.max(selected.from, selected.to)
      link.toggleAttribute('data-chosen', isSelected)
    }
  }
  const zoomTo = ({ from, to }: Bars) => {
    const [first, last] = [links()[Math.min(from, to)], links()[Math.max(from, to)]]
    const start = first && timeOf(first)
    const end = last && timeOf(last)
    mark(null)
    if (start && end) zoom({ fromMs: start.fromMs, toMs: end.toMs })
  }
  /** The bar under the pointer, or the nearest bar if the pointer is outside the chart. */
  const barAt = (clientX: number) => {
    const boxes = links().map(link => link.getBoundingClientRect())
    const index = boxes.findIndex(({ right }) => clientX < right)
    return index === -1 ? boxes.length - 1 : index
  }

  // A drag ends with a click on the link under the pointer; ignore that click.
  useEffect(() => {
    const element = frame.current
    const suppressClick = (event: MouseEvent) => {
      if (dragged.current) event.preventDefault()
      dragged.current = false
    }
    element?.addEventListener('click', suppressClick, { capture: true })
    return () => element?.removeEventListener('click', suppressClick, { capture: true })
  }, [frame])

  return {
    onPointerDown(event: PointerEvent) {
      const isOnChart = event.target instanceof Element && event.target.closest('.chart-read') !== null
      // Touch gestures scroll the page.
      if (event.button !== 0 || event.pointerType === 'touch' || !isOnChart) return
      const from = barAt(event.clientX)
      bars.current = { from, to: from }
    },
    onPointerMove({ clientX, buttons, currentTarget, pointerId }: PointerEvent) {
      const selected = bars.current
      if (selected === null || (buttons & 1) === 0) return
      const to = barAt(clientX)
      if (to === selected.from && !dragged.current) return
      dragged.current = true
      currentTarget.setPointerCapture(pointerId)
      mark({ ...selected, to })
    },
    onPointerUp() {
      if (dragged.current && bars.current !== null) zoomTo(bars.current)
      else bars.current = null
    },
    onPointerCancel() {
      dragged.current = false
      mark(null)
    },
    onDragStart(event: { preventDefault(): void }) {
      event.preventDefault()
    },
    onKeyDown(event: KeyboardEvent) {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
      const all = links()
      if (event.target !== frame.current || all.length === 0) return
      if (event.key === 'Enter' && bars.current !== null) zoomTo(bars.current)
      else if (event.key === 'Escape') mark(null)
      else if (step !== undefined) {
        const selected = bars.current
        const to = Math.min(Math.max((selected?.to ?? all.length) + step, 0), all.length - 1)
        mark({ from: event.shiftKey && selected !== null ? selected.from : to, to })
        announce(all[to]?.querySelector('title')?.textContent?.replaceAll('\n', ', ') ?? '')
      } else return
      event.preventDefault()
    },
    onBlur: () => mark(null),
  }
}

/** The window in a bar's link. */
function timeOf(link: SVGAElement): Window | null {
  const params = new URL(link.href.baseVal, location.href).searchParams
  const [fromMs, toMs] = ['from', 'to'].map(name => Date.parse(params.get(name) ?? ''))
  return fromMs === undefined || toMs === undefined || !(fromMs < toMs) ? null : { fromMs, toMs }
}
