import { type RefObject, useEffect, useRef } from 'react'
import type { DashboardContent } from '../../../shared/screens/dashboard.ts'
import { nextPoint } from './next-point.ts'
import { attachPlot, type DataPoint, type Plot } from './plot.ts'

/**
 * Shows tooltips in all charts at the same time, for the time under the pointer or selected with arrow keys. Each chart is
 * one tab stop. Enter opens the events of the selected point.
 */
export function useChartTooltips(content: DashboardContent): RefObject<HTMLDivElement | null> {
  const screen = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: new content means new charts
  useEffect(() => (screen.current === null ? undefined : listen(screen.current)), [content])
  return screen
}

function listen(screen: HTMLElement): () => void {
  const plots = [...screen.querySelectorAll<HTMLElement>('.chart-plot')].flatMap(
    each => attachPlot(each) ?? [],
  )
  let marked: { plot: Plot; point: DataPoint } | null = null
  let isShown = false

  const show = (plot: Plot, x: number, point: DataPoint | null, byKey: boolean) => {
    isShown = true
    marked = point && { plot, point }
    for (const each of plots) {
      const others = each.isMap ? null : (each.points.find(other => other.x === x) ?? null)
      each.mark(x, each === plot ? point : others, byKey && each === plot)
    }
  }
  const clear = () => {
    if (!isShown) return
    isShown = false
    marked = null
    for (const plot of plots) plot.clear()
  }
  const plotAt = (target: EventTarget | null) =>
    target instanceof Element ? plots.find(({ element }) => element.contains(target)) : undefined

  const onPointerMove = (event: PointerEvent) => {
    const plot = plotAt(event.target)
    if (plot === undefined) return clear()
    const { x, y } = plot.at(event)
    show(plot, x, plot.points.find(point => point.x === x && point.y === y) ?? null, false)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const plot = plotAt(event.target)
    if (plot === undefined || event.target !== plot.element || event.ctrlKey || event.metaKey || event.altKey)
      return
    const from = marked?.plot === plot ? marked.point : null
    if (event.key === 'Escape') clear()
    else if (event.key === 'Enter' && from?.href) location.assign(from.href)
    else {
      const to = nextPoint(plot.points, from, event.key)
      if (to === null) return
      show(plot, to.x, to, true)
    }
    event.preventDefault()
  }

  screen.addEventListener('pointermove', onPointerMove)
  screen.addEventListener('pointerleave', clear)
  screen.addEventListener('focusout', clear)
  screen.addEventListener('keydown', onKeyDown)
  return () => {
    screen.removeEventListener('pointermove', onPointerMove)
    screen.removeEventListener('pointerleave', clear)
    screen.removeEventListener('focusout', clear)
    screen.removeEventListener('keydown', onKeyDown)
  }
}
