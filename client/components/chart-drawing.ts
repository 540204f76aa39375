import type { SeriesPlot } from '../../shared/chart-plot.ts'
import { formatTick, highestOf, scaleTo, ticksUpTo } from '../../shared/chart-scale.ts'
import { shapesOf } from '../../shared/chart-shapes.ts'

/** A chart's visible series and their scale. */
export type Drawing = {
  isShown(index: number): boolean
  /** The distance of a value from the top of the plot, in CSS pixels. */
  y(value: number): number
  /** Redraws the chart after the hidden series have changed. */
  update(): void
}

/**
 * Draws only the visible series, on a scale that fits them.
 * @param hidden the names of the hidden series; the caller adds and removes names
 */
export function createDrawing(
  figure: HTMLElement,
  plot: SeriesPlot,
  height: number,
  hidden: ReadonlySet<string>,
): Drawing {
  const isShown = (index: number) => !hidden.has(plot.series[index]?.name ?? '')
  const shown = (): SeriesPlot => ({
    ...plot,
    series: plot.series.map((each, index) =>
      isShown(index) ? each : { ...each, values: [], previousValues: each.previousValues && [] },
    ),
  })
  let y = scaleTo(topOf(shown()), height)
  const drawing = {
    isShown,
    y: (value: number) => y(value),
    update() {
      y = scaleTo(topOf(shown()), height)
      drawShapes(figure, shown(), y, height)
      drawTicks(figure, shown(), y)
    },
  }
  // The server has already drawn the chart with all series.
  if (hidden.size > 0) drawing.update()
  return drawing
}

function topOf(plot: SeriesPlot): number {
  return ticksUpTo(highestOf(plot), plot.format).at(-1) ?? 1
}

function drawShapes(figure: HTMLElement, plot: SeriesPlot, y: Drawing['y'], height: number): void {
  const shapes = shapesOf(plot, y, height)
  const draw = (selector: string, paths: (string | null)[]) => {
    const elements = figure.querySelectorAll(`.chart-shapes > ${selector}`)
    for (const [index, path] of paths.filter(each => each !== null).entries())
      elements[index]?.setAttribute('d', path)
  }
  draw(
    ':is(.chart-line, .chart-bar)',
    shapes.map(({ path }) => path),
  )
  draw(
    '.chart-area',
    shapes.map(({ area }) => area),
  )
  draw(
    '.chart-quiet',
    shapes.map(({ previous }) => previous),
  )
}

/** Replaces the grid lines and the labels of the value axis. */
function drawTicks(figure: HTMLElement, plot: SeriesPlot, y: Drawing['y']): void {
  const ticks = ticksUpTo(highestOf(plot), plot.format)
  const top = ticks.at(-1) ?? 1
  const lines = ticks.map(tick => shape('line', { x2: '100%', y1: y(tick), y2: y(tick) }))
  const labels = ticks.map(tick => {
    const label = shape('text', { x: 48, y: y(tick) + 4 })
    label.textContent = formatTick(plot.format, tick, top)
    return label
  })
  figure.querySelector('.chart-grid')?.replaceChildren(...lines)
  figure.querySelector('.chart-values')?.replaceChildren(...labels)
}

function shape(name: string, attributes: Record<string, string | number>): SVGElement {
  const created = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [key, value] of Object.entries(attributes)) created.setAttribute(key, String(value))
  return created
}
