import type { EventRow, LogEvent, NewEvent } from '../../shared/event.ts'
import type { Query } from '../../shared/query.ts'
import type { Window } from '../../shared/range.ts'
import type { RetentionLimits } from '../../shared/retention-limits.ts'
import type { Severity } from '../../shared/severity.ts'
import type { VitalName } from '../../shared/vitals.ts'

/**
 * Stores and queries events. An `AbortSignal` stops a query in the engine, and the query rejects with the signal's reason. No
 * query blocks the event loop.
 */
export type EventStore = {
  /**
   * Stores events, all or none. Once the promise resolves they survive a kill of the process.
   * @param requestKeys idempotency keys of the requests that sent the events, stored with them
   * @returns the events in the given order, with their ids and as they are stored: a lone surrogate has become U+FFFD,
   * and a byte order mark at the start of a string (attributes aside) is removed
   * @throws RangeError if a time is not a number, or more than 285 years from 1970
   */
  append(events: readonly NewEvent[], requestKeys?: readonly string[]): Promise<LogEvent[]>
  /** The newest idempotency keys, newest first. Each is stored for a day, unless retention deletes its segment earlier. */
  requestKeys(limit: number): Promise<string[]>
  /** One page of the matching events; see `EventPage`. */
  events(query: EventQuery, signal?: AbortSignal): Promise<EventPage<EventRow>>
  /** The same page with all fields of each event. */
  wholeEvents(query: EventQuery, signal?: AbortSignal): Promise<EventPage<LogEvent>>
  /** The cursor of an event: `before` it are older events, `after` it newer ones. */
  cursorOf(event: Pick<LogEvent, 'id' | 'timeMs'>): string
  /** When the event with this id was accepted, by the clock of the store's machine. */
  acceptedMs(id: number): number
  /** One event with all its fields, or `null` if it is not stored. */
  event(id: number, signal?: AbortSignal): Promise<LogEvent | null>
  /**
   * The newest `limit` of the matching events with an id above `afterId`, oldest first: what the live feed sends.
   * `missed` counts the older ones that `limit` left out. `lastId` is the newest id that was examined, to continue from.
   * Returns no events for `null`. Passing the newest id also returns none, without a query.
   */
  since(
    afterId: number | null,
    query: { query: Query; limit: number; attributes?: readonly string[] },
    signal?: AbortSignal,
  ): Promise<{ events: EventRow[]; missed: number; lastId: number }>
  /**
   * Counts the matching events by severity and time bucket. Buckets are `bucketMs` long and begin at `fromMs`; empty
   * ones are included.
   * @throws RangeError for more than 10,000 buckets, as every query with buckets does
   */
  histogram(filter: Filter, bucketMs: number, signal?: AbortSignal): Promise<HistogramBucket[]>
  /** The most frequent values of each field among the matching events, most frequent first. */
  facets(
    filter: Filter,
    fields: readonly FacetField[],
    limit: number,
    signal?: AbortSignal,
  ): Promise<FacetCounts[]>
  /** Services with an event in the window, at most 10,000, by name: those with most failures, errors and events. */
  services(window: Window, bucketMs: number, signal?: AbortSignal): Promise<ServiceMetrics[]>
  /** The time of the newest event of each service and source, over all stored events: the newest 10,000, by name. */
  lastSeen(signal?: AbortSignal): Promise<LastSeen[]>
  /** Metrics of the requests (events with status and duration) in each bucket of the window. */
  requestSeries(filter: RequestFilter, bucketMs: number, signal?: AbortSignal): Promise<RequestBucket[]>
  /** Metrics of all requests in the window. */
  requestMetrics(filter: RequestFilter, signal?: AbortSignal): Promise<RequestCounts>
  /** The same by service, method and route, busiest first. */
  routeMetrics(filter: RequestFilter, limit: number, signal?: AbortSignal): Promise<RouteCounts[]>
  /**
   * Counts requests by time bucket and band of duration; cells without a request are left out. Band 0 is below the
   * first of the ascending `edgesMs`; band n starts at the n-th edge and ends below the next.
   */
  latency(
    filter: RequestFilter,
    bucketMs: number,
    edgesMs: readonly number[],
    signal?: AbortSignal,
  ): Promise<LatencyCell[]>
  /**
   * Web Vitals by service and route, for the `limit` busiest routes, busiest first. Reads events of the sources
   * `browser` and `own` with the attributes `vital.name` and `vital.value` (0 or above).
   */
  webVitals(
    filter: RequestFilter,
    bucketMs: number,
    limit: number,
    signal?: AbortSignal,
  ): Promise<VitalMetrics[]>
  /** Numeric attributes of the matching events, by bucket of the window; `null` for a bucket without a number. */
  attributeSeries(
    filter: Filter,
    series: readonly AttributeSeries[],
    bucketMs: number,
    signal?: AbortSignal,
  ): Promise<(number | null)[][]>
  /**
   * Releases whose first event is in the window, newest first, at most 500. Leaves out the first known release of each
   * service, because its start is unknown.
   */
  releaseStarts(filter: RequestFilter, signal?: AbortSignal): Promise<KnownRelease[]>
  /** The releases of these services, newest first, at most 5,000. */
  releases(services: readonly string[], signal?: AbortSignal): Promise<KnownRelease[]>
  /**
   * Deletes the oldest events until the limits are met, and frees their disk space. The age of an event counts from its
   * time or its acceptance, whichever is earlier.
   * @returns the number of deleted events
   */
  retain(limits: RetentionLimits, nowMs: number): Promise<number>
  /** How many events `retain` would delete with these limits. */
  pastRetention(limits: RetentionLimits, nowMs: number, signal?: AbortSignal): Promise<number>
}

/** The events of a window that match a query. */
export type Filter = { window: Window; query: Query }

/**
 * `before` and `after` are cursors from another page. An unreadable cursor is ignored, so that a damaged link shows
 * the first page.
 */
export type EventQuery = Filter & {
  limit: number
  before?: string | undefined
  after?: string | undefined
  /** Paths of the attributes that the rows contain. */
  attributes?: readonly string[]
}

/**
 * Newest first, even with an `after` cursor. A cursor is `null` if there are no events in its direction; the one back to the
 * previous page is never `null`.
 */
export type EventPage<Event> = { events: Event[]; older: string | null; newer: string | null }

export type HistogramBucket = { startMs: number; counts: Record<Severity, number> }

export const facetFields = ['service', 'route', 'status', 'release', 'source', 'severity'] as const
export type FacetField = (typeof facetFields)[number]
export type FacetCounts = { field: FacetField; values: { value: string; count: number }[] }

export type LastSeen = { service: string; source: string; lastSeenMs: number }

/** `service: null` for all services. */
export type RequestFilter = { window: Window; service: string | null }

export type RequestCounts = {
  requests: number
  /** Requests with status 500 or above. */
  errors: number
  /** Exact, interpolated between neighbours. `null` without requests. */
  p50Ms: number | null
  p95Ms: number | null
  p99Ms: number | null
}
export type RequestBucket = RequestCounts & { startMs: number }
export type RouteCounts = RequestCounts & { service: string; method: string | null; route: string | null }

export type LatencyCell = { bucket: number; band: number; requests: number }

export type AttributeSeries = { path: string; of: 'mean' | 'highest' | 'sum' }

export type VitalMetrics = {
  service: string
  route: string | null
  name: VitalName
  count: number
  /** Exact, interpolated between neighbours: milliseconds, and for CLS a score. */
  p75: number
  /** p75 of each bucket, oldest first. */
  sparkline: (number | null)[]
}

export type ServiceMetrics = RequestCounts & {
  service: string
  /** Release of its newest event that has one. */
  release: string | null
  events: number
  /** Occurrences of open failures. */
  failures: number
  /** Events per bucket of the window, oldest first. */
  sparkline: number[]
  lastSeenMs: number
}

export type KnownRelease = { service: string; release: string; firstSeenMs: number }
