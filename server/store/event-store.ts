import type { EventRow, LogEvent, NewEvent } from '../../shared/event.ts'
import type { Query } from '../../shared/query.ts'
import type { Window } from '../../shared/range.ts'
import type { RetentionLimits } from '../../shared/retention-limits.ts'
import type { Severity } from '../../shared/severity.ts'
import type { VitalName } from '../../shared/vitals.ts'

/**
 * Stores and queries events. An `AbortSignal` stops a query in the engine. The query then rejects with the signal's reason.
 * No query blocks the event loop.
 */
export type EventStore = {
  /**
   * Stores events atomically. Once the promise resolves, the events survive even if the process is killed.
   * @param requestKeys idempotency keys of the requests that sent the events; stored with the events. Claim them first
   * @returns the events as stored, with ids, in the given order. In stored text, U+FFFD replaces lone surrogates, and
   *   strings outside attributes lose leading byte order marks
   * @throws RangeError if a time is not a number, or is more than 285 years from 1970, or if a status is not an integer
   */
  append(events: readonly NewEvent[], requestKeys?: readonly string[]): Promise<LogEvent[]>
  /**
   * Claims requests, by their idempotency keys, right before `append` stores their events.
   * @returns for each key: `new` if this call claimed the request, `stored` if its events are stored, or `busy` if another
   * replica may be storing them. At least the 50,000 newest keys of the last day are known, unless retention has deleted
   * them
   */
  claimRequests(keys: readonly string[]): Promise<RequestClaim[]>
  /** Returns one page of the matching events; see `EventPage`. */
  events(query: EventQuery, signal?: AbortSignal): Promise<EventPage<EventRow>>
  /**
   * Like `events`, but with all fields of each event. If the events are large, a page has fewer than `limit`: it ends after
   * the event with which its texts exceed `maxPageLength`, four million characters.
   */
  wholeEvents(query: EventQuery, signal?: AbortSignal): Promise<EventPage<LogEvent>>
  /** One event with all its fields, or `null` if it is not stored. */
  event(id: number, signal?: AbortSignal): Promise<LogEvent | null>
  /**
   * Returns the newest `limit` matching events that were stored after a position, in the order of their ids, for the live
   * feed. Returns no events, and runs no query, if `after` is `null`, unreadable or the newest position.
   * @returns the events; `missed`, the number of other matches; `position`, from which to continue; and `lastId`, the newest
   *   id that was examined
   */
  since(
    after: Position | null,
    query: { query: Query; limit: number; attributes?: readonly string[] },
    signal?: AbortSignal,
  ): Promise<EventsSince>
  /**
   * Counts the matching events by severity and time bucket. Buckets are `bucketMs` long and start at `fromMs`. The result
   * includes empty buckets.
   * @throws RangeError for more than 10,000 buckets. The limit applies to every query with buckets
   */
  histogram(filter: Filter, bucketMs: number, signal?: AbortSignal): Promise<HistogramBucket[]>
  /**
   * The most frequent values of each field among the matching events, most frequent first. Values that differ only in case
   * count as one, because a search finds them together.
   */
  facets(
    filter: Filter,
    fields: readonly FacetField[],
    limit: number,
    signal?: AbortSignal,
  ): Promise<FacetCounts[]>
  /**
   * The most frequent values of an attribute among the matching events, most frequent first, as text. Values that differ
   * only in case count as one, and so do values with the same first 500 characters (`maxRowLength`), which are cut.
   */
  attributeFacet(filter: Filter, path: string, limit: number, signal?: AbortSignal): Promise<FacetValue[]>
  /**
   * Returns `histogram` and `facets` for the same events, and counts the events that match `filter.wider` by severity.
   * Faster than separate calls.
   */
  counts(
    filter: CountFilter,
    bucketMs: number,
    fields: readonly FacetField[],
    limit: number,
    signal?: AbortSignal,
  ): Promise<Counts>
  /** Services with events in the window, sorted by name. Limited to the 10,000 with the most failures, errors and events. */
  services(window: Window, bucketMs: number, signal?: AbortSignal): Promise<ServiceMetrics[]>
  /**
   * The times of the oldest and newest stored events of each service and source, sorted by name. Limited to the 10,000 most
   * recent.
   */
  seenSources(signal?: AbortSignal): Promise<SeenSource[]>
  /** Metrics of the requests in the window, over time. A request is an event with a status and a duration. */
  requestSeries(filter: RequestFilter, bucketMs: number, signal?: AbortSignal): Promise<RequestSeries>
  /** Request metrics by service, method and route, busiest first. */
  routeMetrics(filter: RequestFilter, limit: number, signal?: AbortSignal): Promise<RouteCounts[]>
  /**
   * Web Vitals of the `limit` routes with the most measurements, by service and route, most measurements first. Reads events
   * from the sources `browser`, `own` and `sentry` with the attributes `vital.name` and `vital.value` (0 or above).
   */
  webVitals(
    filter: RequestFilter,
    bucketMs: number,
    limit: number,
    signal?: AbortSignal,
  ): Promise<VitalMetrics[]>
  /**
   * The sessions of the `limit` releases with the most sessions. Reads events from the source `sentry` with the attributes
   * `sessions.started` and `sessions.crashed`.
   */
  sessions(filter: RequestFilter, limit: number, signal?: AbortSignal): Promise<SessionCounts[]>
  /** Aggregates numeric attributes of the matching events per bucket. A bucket without numbers is `null`. */
  attributeSeries(
    filter: Filter,
    series: readonly AttributeSeries[],
    bucketMs: number,
    signal?: AbortSignal,
  ): Promise<(number | null)[][]>
  /**
   * The newest 500 releases whose first event is in the window, newest first. Omits the first known release of each service,
   * because the start of that release is unknown.
   */
  releaseStarts(filter: RequestFilter, signal?: AbortSignal): Promise<KnownRelease[]>
  /** The newest 5,000 releases of these services, newest first. */
  releases(services: readonly string[], signal?: AbortSignal): Promise<KnownRelease[]>
  /**
   * Deletes the oldest events until the limits are met, and frees their disk space. An event's age is measured from its time
   * or its acceptance, whichever is earlier.
   * @returns the number of deleted events
   */
  retain(limits: RetentionLimits, nowMs: number): Promise<number>
  /** How many events `retain` would delete with these limits. */
  countExpired(limits: RetentionLimits, nowMs: number, signal?: AbortSignal): Promise<number>
}

export type RequestClaim = 'new' | 'stored' | 'busy'

/**
 * A point in the order in which events were stored, as digits and dots. Only the engine that returned it can read it. One
 * id would not be enough: if several processes store events, an event can appear after others with greater ids.
 */
export type Position = string

export type EventsSince = { events: EventRow[]; missed: number; lastId: number; position: Position }

/** Selects the events in a window that match a query. */
export type Filter = { window: Window; query: Query }

/**
 * `before` and `after` are cursors from another page. Unreadable cursors are ignored, so a damaged link shows the first
 * page.
 */
export type EventQuery = Filter & {
  limit: number
  before?: string | undefined
  after?: string | undefined
  /** Paths of the attributes that the rows contain. */
  attributes?: readonly string[]
}

/**
 * Events are newest first, even with an `after` cursor. A cursor is `null` if there are no events in its direction. The
 * cursor back to the previous page is never `null`.
 */
export type EventPage<Event> = { events: Event[]; older: string | null; newer: string | null }

export type HistogramBucket = { startMs: number; counts: Record<Severity, number> }

export const facetFields = ['service', 'route', 'status', 'release', 'source', 'severity'] as const
export type FacetField = (typeof facetFields)[number]
export type FacetValue = { value: string; count: number }
export type FacetCounts = { field: FacetField; values: FacetValue[] }

/** `wider` is the same search with fewer terms. */
export type CountFilter = Filter & { wider?: Query | undefined }
/** `bySeverity` is `null` without `wider`. */
export type Counts = {
  histogram: HistogramBucket[]
  facets: FacetCounts[]
  bySeverity: FacetValue[] | null
}

export type SeenSource = { service: string; source: string; firstSeenMs: number; lastSeenMs: number }

/** `service: null` means all services but the one in `except`. */
export type RequestFilter = { window: Window; service: string | null; except?: string | undefined }

export type RequestCounts = {
  requests: number
  /** Requests with status 500 or above. */
  errors: number
  /**
   * Percentiles, interpolated between neighbouring values, with an error of at most 1% for durations between a
   * microsecond and eleven days. `null` if there are no requests.
   */
  p50Ms: number | null
  p95Ms: number | null
  p99Ms: number | null
}
export type RequestBucket = RequestCounts & { startMs: number }
export type RequestSeries = {
  total: RequestCounts
  buckets: RequestBucket[]
  /** Empty cells are omitted. */
  cells: LatencyCell[]
}
export type RouteCounts = RequestCounts & { service: string; method: string | null; route: string | null }

/**
 * The number of requests in a bucket and a duration band. Band 0 is below the first edge in `durationEdgesMs`; band n starts
 * at the nth edge and ends below the next. Counts are exact.
 */
export type LatencyCell = { bucket: number; band: number; requests: number }

export type AttributeSeries = { path: string; aggregate: 'mean' | 'highest' | 'sum' }

/** How many visitor sessions of a release started, and how many of them crashed. */
export type SessionCounts = { service: string; release: string | null; started: number; crashed: number }

export type VitalMetrics = {
  service: string
  route: string | null
  name: VitalName
  count: number
  /** Exact, interpolated between neighbouring values. In milliseconds, except CLS, which is a score. */
  p75: number
  /** The p75 of each bucket, oldest first. */
  sparkline: (number | null)[]
}

export type ServiceMetrics = RequestCounts & {
  service: string
  /** The release of the newest event that has one. */
  release: string | null
  events: number
  /** Occurrences of open failures. */
  failures: number
  /** Events per bucket of the window, oldest first. */
  sparkline: number[]
  lastSeenMs: number
}

export type KnownRelease = { service: string; release: string; firstSeenMs: number }
