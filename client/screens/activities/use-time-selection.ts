import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useRef } from 'react'
import type { Window } from '../../../shared/range.ts'
import { announce } from '../../announce.ts'

/** The first and the last of the chosen bars, in the order in which they were chosen. */
type Bars = { from: number; to: number }

/**
 * Chooses a stretch of time among the bars of a chart that the server drew: each bar is a link that carries its time.
 * Gives the handlers for the element around it.
 * @param zoom is called with the time of all chosen bars
 */
export function useTimeSelection(frame: RefObject<HTMLElement | null>, zoom: (window: Window) => void) {
  const bars = useRef<Bars | null>(null)
  const dragged = useRef(false)

  const links = () => [...(frame.current?.querySelectorAll<SVGAElement>('.chart-read a') ?? [])]
  const mark = (chosen: Bars | null) => {
    bars.current = chosen
    for (const [index, link] of links().entries()) {
      const isChosen =
        chosen !== null &&
        index >= Math.min(chosen.from, chosen.to) &&
        index <= Math.max(chosen.from, chosen.to)
      link.toggleAttribute('data-chosen', isChosen)
    }
  }
  const zoomTo = ({ from, to }: Bars) => {
    const [first, last] = [links()[Math.min(from, to)], links()[Math.max(from, to)]]
    const start = first && timeOf(first)
    const end = last && timeOf(last)
    mark(null)
    if (start && end) zoom({ fromMs: start.fromMs, toMs: end.toMs })
  }
  /** The bar under the pointer, else the nearest: a drag may leave the chart. */
  const barAt = (clientX: number) => {
    const boxes = links().map(link => link.getBoundingClientRect())
    const index = boxes.findIndex(({ right }) => clientX < right)
    return index === -1 ? boxes.length - 1 : index
  }

  // A drag ends with a click on the link under it, which is not meant.
  useEffect(() => {
    const element = frame.current
    const keep = (event: MouseEvent) => {
      if (dragged.current) event.preventDefault()
      dragged.current = false
    }
    element?.addEventListener('click', keep, { capture: true })
    return () => element?.removeEventListener('click', keep, { capture: true })
  }, [frame])

  return {
    onPointerDown(event: PointerEvent) {
      const isOnChart = event.target instanceof Element && event.target.closest('.chart-read') !== null
      // A finger on the chart scrolls the page.
      if (event.button !== 0 || event.pointerType === 'touch' || !isOnChart) return
      const from = barAt(event.clientX)
      bars.current = { from, to: from }
    },
    onPointerMove({ clientX, buttons, currentTarget, pointerId }: PointerEvent) {
      const chosen = bars.current
      if (chosen === null || (buttons & 1) === 0) return
      const to = barAt(clientX)
      if (to === chosen.from && !dragged.current) return
      dragged.current = true
      currentTarget.setPointerCapture(pointerId)
      mark({ ...chosen, to })
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
        const chosen = bars.current
        const to = Math.min(Math.max((chosen?.to ?? all.length) + step, 0), all.length - 1)
        mark({ from: event.shiftKey && chosen !== null ? chosen.from : to, to })
        announce(all[to]?.querySelector('title')?.textContent?.replaceAll('\n', ', ') ?? '')
      } else return
      event.preventDefault()
    },
    onBlur: () => mark(null),
  }
}

/** The time that the link of a bar leads to. */
function timeOf(link: SVGAElement): Window | null {
  const params = new URL(link.href.baseVal, location.href).searchParams
  const [fromMs, toMs] = ['from', 'to'].map(name => Date.parse(params.get(name) ?? ''))
  return fromMs === undefined || toMs === undefined || !(fromMs < toMs) ? null : { fromMs, toMs }
}
