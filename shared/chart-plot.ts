import type { Window } from './range.ts'

/** The time columns and markers that all charts on a page share. */
export type PlotTimes = {
  /** The last column may end after the window. */
  window: Window
  bucketMs: number
  /** One label per column, oldest first. */
  labels: string[]
  /** Events such as releases. The tooltip of a column mentions its events. */
  markers: { column: number; tooltip: string }[]
}

/** The values of a line chart or a bar chart, as text. */
export type SeriesPlot = {
  kind: 'series'
  /** The first part of the URL of each column, without its times; `null` if columns have no links. */
  search: string | null
  series: { name: string; values: string[]; previousValues?: string[] }[]
}

/** The counts of a heat map. */
export type MapPlot = {
  kind: 'map'
  unit: string
  /** Lowest band first. `search` is the first part of the URL of each cell, without its times. */
  bands: { label: string; search: string; counts: number[] }[]
}

/**
 * The values in a chart, from which the browser creates tooltips and links. The chart itself is only a picture, because a
 * separate element for each value would make up most of the page.
 */
export type ChartPlot = SeriesPlot | MapPlot
