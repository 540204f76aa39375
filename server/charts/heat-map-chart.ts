import type { Window } from '../../shared/range.ts'
import type { Bucket } from './buckets.ts'
import type { Marker } from './markers.ts'
import type { Clock } from './ticks.ts'

/**
 * A row of a heat map. `edge` is the label of its lower edge on the axis, or `null` for none. The URL of a cell is
 * the `of` of its row followed by the `during` of its column: each half is escaped once, not once per cell.
 */
export type Band = { label: string; edge: string | null; of: string }
export type Column = Pick<Bucket, 'label'> & { during: string }

/** The input of `drawHeatMap`. */
export type HeatMap = {
  /** Unique in the page: hydration finds the chart by it. */
  name: string
  title: string
  /** What a cell counts, in the plural. */
  unit: string
  window: Window
  clock: Clock
  bucketMs: number
  /** Lowest first. */
  bands: Band[]
  /** Counts of each band, one per bucket. */
  rows: number[][]
  markers: readonly Marker[]
  /** `during` of all columns together. */
  during: string
  /** `of` of all rows together. */
  all: string
}
