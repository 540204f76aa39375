import type { Clock } from '../../shared/preferences.ts'
import type { Window } from '../../shared/range.ts'
import type { Bucket } from './buckets.ts'
import type { Marker } from './markers.ts'

/**
 * A heat map row. `edge` is the axis label of its lower edge, or `null`. A cell's URL is the row's `searchHref` followed by
 * the column's `windowParams`. Each part is therefore percent-encoded once instead of once per cell.
 */
export type Band = { label: string; edge: string | null; searchHref: string }
export type Column = Omit<Bucket, 'href'> & { windowParams: string }

/** The input of `drawHeatMap`. */
export type HeatMap = {
  /** Unique on the page, because hydration finds the chart by its name. */
  name: string
  title: string
  /** What the counts measure, as a singular noun such as `request`. */
  noun: string
  window: Window
  clock: Clock
  nowMs: number
  bucketMs: number
  /** Lowest first. */
  bands: Band[]
  /** Counts of each band, one per bucket. */
  rows: number[][]
  /** Newest first. */
  markers: readonly Marker[]
  /** The `windowParams` part of a URL that covers all columns. */
  windowParams: string
  /** The `searchHref` part of a URL that covers all rows. */
  allRowsHref: string
  /** The URL of the heat map's table page. */
  tableHref: string
}
