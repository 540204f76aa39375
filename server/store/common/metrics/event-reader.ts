import type { Window } from '../../../../shared/range.ts'
import type { RequestFilter } from '../../event-store.ts'
import type { RequestSketch } from '../request-sketch.ts'
import type { EventGroup } from './event-block.ts'
import type { FailureIndex } from './failure-index.ts'
import type { CellKey } from './request-cells.ts'

/** Reads events without their texts, from memory or from the engine, for computations that all engines share. */
export type EventReader = {
  failureIndex(): Promise<FailureIndex>
  /**
   * Visits the events in a window. Several groups may have equal fields.
   * @param options.bucketMs the length of a bucket; the first one starts with the window
   * @param options.onlyFailures visits only events with a fingerprint
   * @param select returns the function to call for the events of a group; `null` skips the group
   */
  visitEvents(
    options: { window: Window; bucketMs: number; onlyFailures?: boolean },
    select: (group: CountedGroup) => VisitEvents | null,
  ): Promise<void>
  /**
   * Adds the requests in a window to sketches.
   * @param options.bucketMs `null` if the window is one bucket
   * @param select returns a function that finds the sketch of a bucket for requests with this key, or `null` to skip these
   * requests. May use only the service in the key, and no part of the key if `grouping` is `none`
   */
  visitRequests(
    filter: RequestFilter,
    options: { bucketMs: number | null; grouping: 'none' | 'service' },
    select: (key: CellKey) => ((bucket: number) => RequestSketch | undefined) | null,
  ): Promise<void>
}

/** Fields that engines can group events by, because they have few distinct values. */
export type CountedGroup = Pick<EventGroup, 'service' | 'release' | 'fingerprint' | 'isError'>

/** Called with the time of the newest of `count` events, which are in the same bucket. */
export type VisitEvents = (timeUs: number, count: number) => void
