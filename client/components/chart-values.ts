import { columnLabel, endLabel } from '../../shared/chart-label.ts'
import {
  type ChartPlot,
  markersAt,
  type PlotMarker,
  type PlotTimes,
  type SeriesPlot,
  windowOfColumn,
} from '../../shared/chart-plot.ts'
import { formatValue } from '../../shared/chart-scale.ts'
import { formatCount, pluralise } from '../../shared/format.ts'
import type { Clock } from '../../shared/preferences.ts'
import type { Window } from '../../shared/range.ts'
import type { DataPoint } from './chart-points.ts'

/** The clock and the markers of all charts on a page. */
export type ChartContext = { clock: Clock; markers: readonly PlotMarker[] }

/** One row of a readout. */
export type ValueRow = {
  name: string
  /** The colour of the swatch; `null` for the previous period, whose line is dashed. */
  tone: string | null
  value: string
  change: { text: string; words: string; isWorse: boolean | null } | null
}

/** The contents of a readout. */
export type Values = { title: string; rows: ValueRow[]; notes: string[] }

/** Returns the values at a point, or `null` for an empty cell. */
export function valuesAt(
  plot: ChartPlot,
  point: DataPoint,
  { clock, markers }: ChartContext,
  isShown: (index: number) => boolean,
): Values | null {
  const column = point.x
  const window = windowOfColumn(plot, column)
  const isComplete = column < plot.completeColumns
  const title = columnLabel(window.fromMs, plot, clock) + (isComplete ? '' : ' · incomplete')
  const notes = markersAt(markers, window).map(({ ms, text }) => `${text} ${columnLabel(ms, plot, clock)}`)
  if (plot.kind !== 'map') return { title, rows: rowsAt(plot, column, isComplete, isShown), notes }
  const band = plot.bands[plot.bands.length - 1 - point.y]
  const count = band?.counts[column] ?? 0
  if (band === undefined || count === 0) return null
  const value = pluralise(count, plot.noun)
  return { title, rows: [{ name: band.label, tone: 'accent', value, change: null }], notes }
}

function rowsAt(
  plot: SeriesPlot,
  column: number,
  isComplete: boolean,
  isShown: (index: number) => boolean,
): ValueRow[] {
  const { format, series, moreIsWorse = false } = plot
  const text = (value: number | null) => (value === null ? '–' : formatValue(format, value))
  return series.flatMap(({ name, tone, values, previousValues }, index) => {
    if (!isShown(index)) return []
    const value = values[column] ?? null
    if (previousValues === undefined) return [{ name, tone, value: text(value), change: null }]
    const previous = previousValues[column] ?? null
    const change = isComplete ? changeOf(value, previous, moreIsWorse) : null
    const previousName = series.length > 1 ? `previous ${name}` : 'previous period'
    return [
      { name, tone, value: text(value), change },
      { name: previousName, tone: null, value: text(previous), change: null },
    ]
  })
}

/**
 * Formats a change as `▲ 7%`, and in words for screen readers. Returns `null` if there is no change, if either value is
 * missing, or if the previous value is 0.
 */
function changeOf(value: number | null, previous: number | null, moreIsWorse: boolean): ValueRow['change'] {
  if (value === null || previous === null || previous === 0) return null
  const percent = Math.round((value / previous - 1) * 100)
  if (percent === 0) return null
  const isMore = percent > 0
  const size = formatCount(Math.abs(percent))
  return {
    text: `${isMore ? '▲' : '▼'} ${size}%`,
    words: `${size}% ${isMore ? 'more' : 'less'}`,
    isWorse: moreIsWorse ? isMore : null,
  }
}

/** Formats a selected time range: `14:03 – 14:20`, or `Oct 8` for one day. */
export function windowLabel(
  { fromMs, toMs }: Window,
  plot: Pick<PlotTimes, 'window' | 'bucketMs'>,
  clock: Clock,
): string {
  const [from, to] = [columnLabel(fromMs, plot, clock), endLabel(toMs, plot, clock)]
  return from === to ? from : `${from} – ${to}`
}

/** Returns the values as one sentence for screen readers. */
export function spokenValues({ title, rows, notes }: Values): string {
  const values = rows.map(({ name, value, change }) =>
    change === null ? `${name} ${value}` : `${name} ${value}, ${change.words} than before`,
  )
  return [title.replace(' · ', ', '), ...values, ...notes].join('; ')
}
