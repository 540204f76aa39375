import { type RefObject, useEffect, useRef } from 'react'
import type { ChartPlot, PlotTimes } from '../../shared/chart-plot.ts'
import type { HtmlFragment } from '../../shared/html-fragment.ts'
import { nextPoint } from './next-point.ts'
import { attachPlot, type Plot } from './plot.ts'
import type { DataPoint } from './plot-points.ts'

type PlottedChart = { chart: HtmlFragment; plot: ChartPlot }

/**
 * Shows tooltips in all charts at once, for the time under the pointer or the time selected with the arrow keys. Each chart
 * is one tab stop. Enter opens the events of the selected point.
 * @returns the ref for the element around the charts
 */
export function useChartTooltips(
  charts: readonly PlottedChart[],
  times: PlotTimes,
): RefObject<HTMLDivElement | null> {
  const screen = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `times` is a new object if the content is new
  useEffect(() => (screen.current === null ? undefined : listen(screen.current, charts, times)), [times])
  return screen
}

function listen(screen: HTMLElement, charts: readonly PlottedChart[], times: PlotTimes): () => void {
  const plots = charts.flatMap(({ chart, plot }) => {
    const element = screen.querySelector<HTMLElement>(`[data-fragment="${chart.name}"] .chart-plot`)
    return (element && attachPlot(element, plot, times)) ?? []
  })
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
  // A tap does not send a pointermove event.
  screen.addEventListener('pointerdown', onPointerMove)
  screen.addEventListener('pointerleave', clear)
  screen.addEventListener('focusout', clear)
  screen.addEventListener('keydown', onKeyDown)
  return () => {
    screen.removeEventListener('pointermove', onPointerMove)
    screen.removeEventListener('pointerdown', onPointerMove)
    screen.removeEventListener('pointerleave', clear)
    screen.removeEventListener('focusout', clear)
    screen.removeEventListener('keydown', onKeyDown)
  }
}
