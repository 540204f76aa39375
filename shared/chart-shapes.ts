import type { PlotSeries, SeriesPlot } from './chart-plot.ts'
import { drawnColumns } from './chart-scale.ts'

/** Bar width as a fraction of the bucket width. */
const barWidth = 0.84
/** In CSS pixels. Keeps one error among thousands of events visible. */
const minBarHeight = 2

type Scale = (value: number) => number
type Values = PlotSeries['values']

/** The paths of one series. Their x units are columns: the centre of the first column is at 0. */
export type Shape = {
  /** The line, or one vertical stroke per bar. */
  path: string
  /** The area below the line of an area chart. */
  area: string | null
  /** The line of the previous period. */
  previous: string | null
}

/** Returns the width of a bar stroke. */
export function strokeOfBars({ kind, series }: Pick<SeriesPlot, 'kind' | 'series'>): number {
  return rounded(kind === 'stacked' ? barWidth : barWidth / Math.max(series.length, 1))
}

/** Returns the paths of each series of a chart. */
export function shapesOf(plot: SeriesPlot, y: Scale, height: number): Shape[] {
  const { kind, series } = plot
  const columns = drawnColumns(plot)
  const isLine = kind === 'line' || kind === 'area'
  const bars = isLine ? [] : barPaths(plot, y, height)
  // Whole pixels are precise enough for the shapes behind the line, and make their paths shorter.
  const roughY: Scale = value => Math.round(y(value))
  return series.map(({ values, previousValues }, index) => {
    const drawn = values.slice(0, columns)
    return {
      path: isLine ? linePath(drawn, y) : (bars[index] ?? ''),
      area: kind === 'area' ? areaPath(drawn, roughY, height) : null,
      previous: previousValues === undefined ? null : linePath(previousValues.slice(0, columns), roughY),
    }
  })
}

/** A missing value leaves a gap. A lone value becomes a line as wide as its column, because a dot would hardly show. */
function linePath(values: Values, y: Scale): string {
  return runsOf(values)
    .map(run => {
      const [first, ...rest] = run.map(({ column, value }) => `${column} ${y(value)}`)
      return rest.length === 0 ? `M${first}m-.5 0h1` : `M${first}L${rest.join(' ')}`
    })
    .join('')
}

function areaPath(values: Values, y: Scale, height: number): string {
  return runsOf(values)
    .map(run => {
      const line = run.map(({ column, value }) => `${column} ${y(value)}`).join(' ')
      return `M${run[0]?.column} ${height}L${line}V${height}z`
    })
    .join('')
}

type DataPoint = { column: number; value: number }

/** Divides the values into runs without a missing value. */
function runsOf(values: Values): DataPoint[][] {
  const runs: DataPoint[][] = []
  for (const [column, value] of values.entries()) {
    if (value === null) continue
    const last = runs.at(-1)
    if (last !== undefined && last.at(-1)?.column === column - 1) last.push({ column, value })
    else runs.push([{ column, value }])
  }
  return runs
}

/** Stacked bars start at the top of the previous series; other bars are next to each other. */
function barPaths({ kind, series }: SeriesPlot, y: Scale, height: number): string[] {
  const below: { sum: number; top: number }[] = []
  const width = kind === 'stacked' ? barWidth : barWidth / Math.max(series.length, 1)
  return series.map(({ values }, index) => {
    const middle = kind === 'stacked' ? 0 : (index + 0.5) * width - barWidth / 2
    return values
      .map((value, column) => {
        if (value === null || value <= 0) return ''
        const base = kind === 'stacked' ? below[column] : undefined
        const sum = (base?.sum ?? 0) + value
        const bottom = base?.top ?? height
        const top = Math.min(y(sum), rounded(bottom - minBarHeight))
        below[column] = { sum, top }
        return `M${rounded(column + middle)} ${bottom}V${top}`
      })
      .join('')
  })
}

function rounded(value: number): number {
  return Number(value.toFixed(2))
}
