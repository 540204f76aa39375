import type { SeriesPlot, ValueFormat } from './chart-plot.ts'
import { dayMs, hourMs, minuteMs } from './duration-units.ts'
import {
  formatCount,
  formatDuration,
  formatMeasured,
  formatRatio,
  formatRoundCount,
  formatRoundRatio,
} from './format.ts'

/** Formats a value in a table or beside the pointer. */
export function formatValue(format: ValueFormat, value: number): string {
  if (format === 'count') return formatCount(value)
  if (format === 'ratio') return formatRatio(value)
  if (format === 'duration') return formatDuration(value)
  return formatMeasured(value) + format
}

/** Formats a round value on an axis that ends at `top`. If `top` is below a second, durations are in milliseconds. */
export function formatTick(format: ValueFormat, value: number, top: number): string {
  if (format === 'ratio') return formatRoundRatio(value)
  if (format !== 'duration') return formatRoundCount(value) + (format === 'count' ? '' : format)
  if (top < 1000) return `${formatRoundCount(value)} ms`
  return value < minuteMs ? `${formatRoundCount(value / 1000)} s` : formatDuration(value)
}

/** Maximum number of intervals between ticks. */
const maxSteps = 3

/** Returns round values from 0 to the top of an axis that has room for `highest`. */
export function ticksUpTo(highest: number, format: ValueFormat): number[] {
  const top = highest > 0 ? highest : format === 'count' ? 2 : format === 'ratio' ? 0.01 : 1
  // Ticks of long durations are multiples of a minute, an hour or a day instead of a power of ten.
  const units = format === 'duration' ? [dayMs, hourMs, minuteMs] : []
  const unit = units.find(each => top >= each) ?? 1
  const least = top / maxSteps / unit
  const power = 10 ** Math.floor(Math.log10(least))
  // A rounding error must not select the next larger step.
  const factor = [1, 2, 5].find(each => each * power >= least * (1 - 1e-9)) ?? 10
  // Counts have no fractions.
  const step = Math.max(unit * factor * power, format === 'count' ? 1 : 0)
  const steps = Math.ceil(top / step - 1e-9)
  return Array.from({ length: steps + 1 }, (_, index) => Number((index * step).toPrecision(12)))
}

/**
 * The number of columns that a chart draws. Lines end before the first incomplete column, unless only incomplete columns have
 * requests. Bar charts include incomplete columns, because their counts can only grow.
 */
export function drawnColumns({ kind, format, series, columns, completeColumns }: SeriesPlot): number {
  if (kind !== 'line' && kind !== 'area') return columns
  // Without requests, a rate is 0, but an error rate is `null`.
  const hasRequests = (value: number | null) => value !== null && (value > 0 || format === 'ratio')
  return series.some(({ values }) => values.slice(0, completeColumns).some(hasRequests))
    ? completeColumns
    : columns
}

/** Returns the highest value that the chart draws, or the highest sum of stacked values. */
export function highestOf(plot: SeriesPlot): number {
  const { kind, series } = plot
  const columns = drawnColumns(plot)
  let highest = 0
  for (let column = 0; column < columns; column += 1) {
    let height = 0
    for (const { values, previousValues } of series) {
      const value = values[column] ?? 0
      const previous = previousValues?.[column] ?? 0
      height = kind === 'stacked' ? height + value : Math.max(height, value, previous)
    }
    highest = Math.max(highest, height)
  }
  return highest
}

/** The space above the top of the axis, in CSS pixels. */
const headroom = 4

/**
 * Returns a function that converts a value to its distance from the top of a plot, in CSS pixels.
 * @param top the value at the end of the axis
 */
export function scaleTo(top: number, height: number): (value: number) => number {
  return value => Number((height - (value / top) * (height - headroom)).toFixed(1))
}
