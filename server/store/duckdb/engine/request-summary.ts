import type { RequestCells } from '../../common/metrics/request-cells.ts'
import type { Segment } from './segments.ts'

/** The period that larger cells cover. Without them, a week of requests by route would have millions of counts. */
export const dayPartUs = 6 * 3_600_000_000

/** The requests of a segment up to `lastId`. */
export type RequestSummary = {
  segment: Segment
  lastId: number
  hasRoutes: boolean
  /** One element, or several for the active segment. */
  cells: readonly SummaryCells[]
}

/** The same requests, grouped in three ways. */
export type SummaryCells = {
  /** By `grainUs` and service. */
  byService: RequestCells
  /** By `grainUs` and route; `null` without routes. */
  byRoute: RequestCells | null
  /** By `dayPartUs` and route; `null` without routes. */
  byDayPart: RequestCells | null
}
