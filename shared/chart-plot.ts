import type { Window } from './range.ts'

/**
 * The values in a chart. The server draws the chart from them, and the browser reads them from the chart's `data-plot`
 * attribute to show values, select times and redraw the series that the visitor chooses.
 */
export type ChartPlot = SeriesPlot | MapPlot

/** The columns of a chart, which are buckets of time. */
export type PlotTimes = {
  /** The last column may end after the window. */
  window: Window
  bucketMs: number
  columns: number
  /** The number of columns that have ended. The others are incomplete, so their values are not comparable. */
  completeColumns: number
  /** The start of each column, if columns differ in length. */
  startsMs?: number[] | undefined
}

type Columns = Omit<PlotTimes, 'completeColumns'>

type Plot = PlotTimes & {
  /** The first part of the URLs that list the events of a column. Omitted if columns have no events or link elsewhere. */
  eventsHref?: string
}

/** An event on the time axis, such as a release. The charts of a page share their markers, newest first. */
export type PlotMarker = { ms: number; text: string }

/** A format that starts with a slash is for rates, and is also the text after the number. */
export type ValueFormat = 'count' | '/s' | '/min' | '/day' | 'ratio' | 'duration'

/** The name of a colour in the style sheet (`client/components/tone.css`). */
export type PlotTone = string

type Values = (number | null)[]

/** One value per column. `null` means no value and breaks the line. */
export type PlotSeries = {
  name: string
  tone: PlotTone
  values: Values
  /** The values of the previous period. Stacked charts do not show them. */
  previousValues?: Values | undefined
}

/** A line, area or bar chart. */
export type SeriesPlot = Plot & {
  kind: 'line' | 'area' | 'bar' | 'stacked'
  format: ValueFormat
  /** Whether higher values are worse, for example for errors. */
  moreIsWorse?: boolean
  series: PlotSeries[]
}

/** A heat map. */
export type MapPlot = Plot & {
  kind: 'map'
  /** What the counts measure, as a singular noun. */
  noun: string
  /** Lowest band first. The URL of each cell consists of `eventsHref`, `search` and the times of the cell. */
  bands: { label: string; search: string; counts: number[] }[]
}

/** The time that a column covers, without the part after the window of the chart. */
export function windowOfColumn({ window, bucketMs, startsMs }: PlotTimes, column: number): Window {
  const start = (index: number) => startsMs?.[index] ?? window.fromMs + index * bucketMs
  return { fromMs: start(column), toMs: Math.min(start(column + 1), window.toMs) }
}

/** The markers in a column or, if it has none, the newest marker before it. Oldest first. */
export function markersAt<M extends { ms: number }>(
  newestFirst: readonly M[],
  { fromMs, toMs }: Window,
): M[] {
  return newestFirst
    .filter(({ ms }) => ms < toMs)
    .filter(({ ms }, index) => index === 0 || ms >= fromMs)
    .reverse()
}

/** The column that contains a time, or `null` if the chart does not show the time. */
export function columnAt({ window, bucketMs, columns, startsMs }: Columns, ms: number): number | null {
  const column =
    startsMs === undefined
      ? Math.floor((ms - window.fromMs) / bucketMs)
      : startsMs.findLastIndex(startMs => startMs <= ms)
  return column >= 0 && column < columns ? column : null
}

/** The number of columns that end no later than the window and the current time. */
export function completeColumnsOf(times: Columns, nowMs: number): number {
  const endMs = Math.min(times.window.toMs, nowMs)
  return columnAt(times, endMs) ?? (endMs < times.window.fromMs ? 0 : times.columns)
}
