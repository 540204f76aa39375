import type { Window } from '../../../../shared/range.ts'
import type { FailureIndex } from '../../common/metrics/failure-index.ts'
import type { Row } from '../../common/rows.ts'
import { limitTimes, type ServiceTimes } from '../../common/service-times.ts'
import { join, name, type Sql, sql } from '../../common/sql.ts'
import { microsOf } from '../../common/time.ts'
import type { ReadEventBlocks } from '../engine/read-event-blocks.ts'
import type { RequestSummary } from '../engine/request-summary.ts'
import type { Result } from '../engine/result.ts'
import type { AffectedBy } from '../engine/result-cache.ts'
import type { Samples } from '../engine/samples.ts'
import type { Segment, Segments } from '../engine/segments.ts'
import type { BlockFilter } from '../filters/block-filter.ts'

/** Gives access to the stored data. The caller's abort signal applies to each query. */
export type Source = {
  /** The services whose events the queries may read; `null` means all. */
  services: ReadonlySet<string> | null
  segments: Pick<Segments, 'all' | 'overlapping'>
  query(query: Sql): Promise<Row[]>
  /**
   * Like `query`, for small results that many visitors need. Returns the same result until the store changes.
   * @param affectedBy which new events change the result; by default, all of them
   */
  queryCached(query: Sql, affectedBy?: AffectedBy): Promise<readonly Row[]>
  /** Like `queryCached`, for measured values: see `readSamples`. */
  samplesCached(query: Sql, affectedBy: AffectedBy): Promise<Samples | null>
  /** Like `query`, for large results. */
  read(query: Sql): Promise<Result>
  /**
   * Summarises all stored events as a table with a few rows per segment. Several rows may have the same key. The columns:
   * - `service_summary`: `count`, `first_us` and `last_us` per half-hour (`from_us`), service, release and source
   * - `failure_summary`: `count`, `first_us` and the `newest` event (`time_us`, `id`) by fingerprint, digest, service,
   *   release, source and `has_exception`
   * - `impact_summary`: `count`, hashes of the `requests` and `users`, `without_request` and `without_user` by fingerprint
   *   and service
   */
  summary(name: SummaryName): Promise<Sql>
  /** The requests of segments, by time, service and route. For segments without a result, read the events instead. */
  requestSummaries(segments: readonly Segment[]): Promise<RequestSummary[]>
  eventBlocks: ReadEventBlocks
  /** When the stored events of each service and release occurred. */
  serviceTimes(): Promise<ServiceTimes>
  failureIndex(): Promise<FailureIndex>
  /** The filters of a segment's blocks, oldest first. Newer events may have no filter yet. */
  searchFilters(segment: Segment): Promise<readonly BlockFilter[]>
}

export const summaryNames = ['service_summary', 'failure_summary', 'impact_summary'] as const
export type SummaryName = (typeof summaryNames)[number]

/** Returns a source for queries that may read only the events of these services. */
export function limitSource(source: Source, names: readonly string[]): Source {
  const services = new Set(names)
  return {
    ...source,
    services,
    summary: async summary =>
      sql`(SELECT * FROM ${await source.summary(summary)} WHERE ${isVisible({ services })})`,
    serviceTimes: async () => limitTimes(await source.serviceTimes(), services),
  }
}

/** A condition that is true for rows of the services whose events the queries may read. */
export function isVisible({ services }: Pick<Source, 'services'>): Sql {
  if (services === null) return sql`true`
  const names = [...services].map(service => sql`${service}`)
  return names.length === 0 ? sql`false` : sql`service IN (${join(names, ', ')})`
}

/** The segments that can contain an event with one of these ids. */
export function segmentsWithIds(segments: readonly Segment[], ids: readonly number[]): Segment[] {
  return segments.filter(({ firstId, lastId }) => ids.some(id => firstId <= id && id <= lastId))
}

/** The events of these segments as one table. */
export function eventsOf(segments: readonly Segment[]): Sql {
  const tables = segments.map(segment => sql`SELECT * FROM ${name(segment.name)}.event`)
  return sql`(${join(tables, ' UNION ALL ')})`
}

/** The events with ids above `afterId`, up to `lastId`. */
export function eventsBetween(segment: Segment, afterId: number, lastId: number): Sql {
  return sql`(SELECT * FROM ${eventsOf([segment])} WHERE id > ${afterId} AND id <= ${lastId})`
}

/**
 * Removes the time after the newest event from a window. Windows that start at the same time and end now are therefore equal
 * until an event arrives, and their results can be cached.
 */
export function untilNewest({ segments }: Pick<Source, 'segments'>, { fromMs, toMs }: Window): Window {
  const newestUs = Math.max(...segments.all().map(({ toUs }) => toUs))
  return { fromMs, toMs: Math.min(toMs, (newestUs + 1) / 1000) }
}

export function inWindow({ fromMs, toMs }: Window): Sql {
  return sql`time_us >= ${microsOf(fromMs)} AND time_us < ${microsOf(toMs)}`
}

/**
 * The index of an event's bucket in the window. Without the cast, a time that is not a safe integer would be a
 * `DOUBLE`, and `//` would not round.
 */
export function bucketOf({ fromMs }: Window, bucketMs: number): Sql {
  return sql`((time_us - CAST(${microsOf(fromMs)} AS BIGINT)) // ${microsOf(bucketMs)})`
}
