import type { Window } from './range.ts'

/** The columns of all charts of a page. */
export type PlotTimes = {
  /** The last column may end after the window. */
  window: Window
  bucketMs: number
  /** One for each column, oldest first. */
  labels: string[]
}

/** The values of a line chart or a bar chart, as text. */
export type SeriesPlot = {
  kind: 'series'
  /** The start of the URL of a column, which its times complete; `null` without links. */
  search: string | null
  series: { name: string; values: string[]; previousValues?: string[] }[]
  markers: { column: number; tooltip: string }[]
}

/** The counts of a heat map. */
export type MapPlot = {
  kind: 'map'
  unit: string
  /** Lowest first, with the start of the URL of a cell. */
  bands: { label: string; search: string; counts: number[] }[]
}

/**
 * The values behind a chart, for the tooltips and links in the browser. The chart itself is only a picture, because an
 * element for each value and series would be most of the page.
 */
export type ChartPlot = SeriesPlot | MapPlot
