import { type ReactNode, useLayoutEffect, useRef } from 'react'
import type { PlotMarker } from '../../shared/chart-plot.ts'
import type { Window } from '../../shared/range.ts'
import { usePage } from '../page.ts'
import type { ChartPage } from './chart-state.ts'
import { startCharts } from './start-charts.ts'

/**
 * Makes the charts in `children` interactive: they mark the same time, show its values, zoom to a selected time range, and
 * hide series. `hrefOfWindow` returns the URL of the page for another window; `null` if the page cannot zoom.
 */
export function Charts(props: {
  hrefOfWindow: ((window: Window) => string) | null
  /** Events marked on the time axis. A readout lists those in its column, else the newest one before it. */
  markers?: readonly PlotMarker[]
  className?: string
  children: ReactNode
}) {
  const { hrefOfWindow, markers = [], className, children } = props
  const { preferences } = usePage()
  const root = useRef<HTMLDivElement>(null)
  const page = useRef<ChartPage>({ clock: preferences, markers, hrefOfWindow })
  const charts = useRef<ReturnType<typeof startCharts> | null>(null)
  // Layout effects, because keys that are pressed before the focus is restored in new charts would be lost.
  useLayoutEffect(() => {
    if (root.current === null) return
    charts.current = startCharts(root.current, () => page.current)
    return charts.current.stop
  }, [])
  // New content may contain new charts.
  useLayoutEffect(() => {
    page.current = { clock: preferences, markers, hrefOfWindow }
    charts.current?.refresh()
  })
  return (
    <div className={className} ref={root}>
      {children}
    </div>
  )
}
