import type { Window } from '../../shared/range.ts'
import type { Bucket } from './buckets.ts'
import type { Marker } from './markers.ts'
import type { Clock } from './ticks.ts'

/**
 * A row of a heat map. `edge` is the axis label of its lower edge, or `null`. The URL of a cell is the row's `of`
 * followed by the column's `during`, so that each part is escaped once, not once per cell.
 */
export type Band = { label: string; edge: string | null; of: string }
export type Column = Pick<Bucket, 'label'> & { during: string }

/** The input of `drawHeatMap`. */
export type HeatMap = {
  /** Unique in the page: hydration finds the chart by it. */
  name: string
  title: string
  /** The plural noun for the counts, such as `requests`. */
  unit: string
  window: Window
  clock: Clock
  bucketMs: number
  /** Lowest first. */
  bands: Band[]
  /** Counts of each band, one per bucket. */
  rows: number[][]
  markers: readonly Marker[]
  /** The `during` part of a URL that covers all columns. */
  during: string
  /** The `of` part of a URL that covers all rows. */
  all: string
  /** The URL of the map's table. */
  tableHref: string
}
