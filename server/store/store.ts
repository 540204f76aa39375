import type { EventRow, LogEvent, NewEvent, Severity } from '../../shared/event.ts'
import type { FailureReach, FailureRow, FailureState } from '../../shared/failure.ts'
import type { Query } from '../../shared/query.ts'
import type { Window } from '../../shared/range.ts'
import type { VitalName } from '../../shared/vitals.ts'
import type { FailureBook } from './failure-state-store.ts'
import type { SavedSearches } from './saved-search-store.ts'
import type { SettingStore } from './setting-store.ts'
import type { SourceMapStore } from './source-map-store.ts'
import type { TokenStore } from './token-store.ts'
import type { WebhookStore } from './webhook-store.ts'

/**
 * Where the events are kept. The interface knows no dialect; an engine lives in a folder of its own and
 * passes `store/contract.ts`. Every question takes an `AbortSignal`, which stops the work, not only the
 * waiting: a question that was aborted rejects with the signal's reason. No question blocks the event loop.
 */
export type Store = {
  /**
   * Keeps events, all or none. Once the promise resolves they survive a kill of the process; it gives them
   * with the ids that they got, in the order given, and as they are kept: half a surrogate pair that stands alone
   * has become U+FFFD, and a byte order mark at the beginning of a text (attributes aside) is gone.
   * @param requestKeys of the requests that the events came with, if those must not be stored twice: kept with them
   * @throws RangeError when a time is no number or lies more than 285 years from 1970
   */
  append(events: readonly NewEvent[], requestKeys?: readonly string[]): Promise<LogEvent[]>
  /** The newest keys that `append` was given, newest first, at most `limit`; each is kept for a day at least. */
  requestKeys(limit: number): Promise<string[]>
  /** Events that match, newest first; see `EventPage`. */
  events(question: EventQuestion, signal?: AbortSignal): Promise<EventPage<EventRow>>
  /** The same with all that is kept of each event. */
  wholeEvents(question: EventQuestion, signal?: AbortSignal): Promise<EventPage<LogEvent>>
  /** The cursor of an event: `before` it is what is older, `after` it what is newer. */
  cursorOf(event: Pick<LogEvent, 'id' | 'timeMs'>): string
  /** When an event with this id was accepted, by the clock of the store's machine. */
  acceptedMs(id: number): number
  /** One event in full, or `null` where it is not kept. */
  event(id: number, signal?: AbortSignal): Promise<LogEvent | null>
  /**
   * The newest `limit` of the events with an id above `afterId` that match, oldest first: what the live feed sends,
   * and what it missed while a reader was away. `missed` is how many others there are, all of them older; `lastId` the
   * newest id that was looked at, to go on from. `afterId: null` gives no events;
   * neither, and at no cost, does the newest id that there is.
   */
  since(
    afterId: number | null,
    question: { query: Query; limit: number; attributes?: readonly string[] },
    signal?: AbortSignal,
  ): Promise<{ events: EventRow[]; missed: number; lastId: number }>
  /**
   * How many events match, by severity and equal time buckets of `bucketMs` that begin at `fromMs`: every bucket of
   * the window, empty ones too.
   * @throws RangeError for more than 10,000 buckets, here and wherever there are buckets
   */
  histogram(filter: Filter, bucketMs: number, signal?: AbortSignal): Promise<HistogramBucket[]>
  /** The most frequent values of each field among the events that match, most frequent first. */
  facets(
    filter: Filter,
    fields: readonly FacetField[],
    limit: number,
    signal?: AbortSignal,
  ): Promise<FacetCounts[]>
  /** Every service that wrote in the window, with what its requests and failures were. */
  services(window: Window, bucketMs: number, signal?: AbortSignal): Promise<ServiceFigures[]>
  /** When each service was last heard of, over everything that is kept. */
  lastSeen(signal?: AbortSignal): Promise<{ service: string; source: string; lastSeenMs: number }[]>
  /** Figures of the requests (events with status and duration) in the window, for every bucket of it. */
  requestSeries(filter: RequestFilter, bucketMs: number, signal?: AbortSignal): Promise<RequestBucket[]>
  /** Figures of the requests in the window: one row in all, or one a service, method and route. */
  requestFigures(filter: RequestFilter, signal?: AbortSignal): Promise<RequestCounts>
  routeFigures(filter: RequestFilter, limit: number, signal?: AbortSignal): Promise<RouteCounts[]>
  /**
   * How many requests took how long, by bucket and by band of duration: the cells that hold any. Band 0 is below the
   * first of the ascending `edgesMs`; band n holds the n-th edge and ends below the next.
   */
  latency(
    filter: RequestFilter,
    bucketMs: number,
    edgesMs: readonly number[],
    signal?: AbortSignal,
  ): Promise<LatencyCell[]>
  /**
   * What browsers told of how pages felt, by service and route: those of the `limit` busiest routes, busiest first.
   * Counts events of the sources `browser` and `own` whose attributes have a `vital.name` and a `vital.value` from 0 on.
   */
  webVitals(
    filter: RequestFilter,
    bucketMs: number,
    limit: number,
    signal?: AbortSignal,
  ): Promise<VitalFigures[]>
  /**
   * Numbers that the matching events have among their attributes, for every bucket of the window; `null` where none
   * has one.
   */
  attributeSeries(
    filter: Filter,
    series: readonly AttributeSeries[],
    bucketMs: number,
    signal?: AbortSignal,
  ): Promise<(number | null)[][]>
  /** Failures (events with one fingerprint) with an occurrence in the window; messages are cut to 500 characters. */
  failures(question: FailureQuestion, signal?: AbortSignal): Promise<FailureRow[]>
  /** How many failures have an occurrence in the window, by state. */
  failureStates(window: Window, signal?: AbortSignal): Promise<Record<FailureState, number>>
  /** How many occurrences of open failures the window holds. */
  failureCount(window: Window, signal?: AbortSignal): Promise<number>
  /** One failure over everything that is kept, its message in full, or `null`. */
  failure(
    fingerprint: string,
    bucketMs: number,
    window: Window,
    signal?: AbortSignal,
  ): Promise<FailureRow | null>
  /** Occurrences of a failure by release, newest first. */
  failureReleases(
    fingerprint: string,
    signal?: AbortSignal,
  ): Promise<{ release: string | null; count: number; firstSeenMs: number; lastSeenMs: number }[]>
  /** Whom a failure met, over everything that is kept. */
  failureReach(fingerprint: string, signal?: AbortSignal): Promise<FailureReach>
  /**
   * The releases whose first event lies in the window, newest first, at most 500. The release that a service began
   * with, or that it had when the oldest kept event was written, is not among them.
   */
  releaseStarts(filter: RequestFilter, signal?: AbortSignal): Promise<KnownRelease[]>
  /** The releases that these services name, newest first: the 5,000 that were seen last at most. */
  releases(services: readonly string[], signal?: AbortSignal): Promise<KnownRelease[]>
  /**
   * The fingerprint of the newest event with this digest, compared with and without an `@E…` suffix, or
   * `null`. What browsers sent comes last: a visitor knows the digest, and not the cause. An event with a digest always has a fingerprint.
   */
  fingerprintOfDigest(digest: string, signal?: AbortSignal): Promise<string | null>
  /**
   * The different stacks of the failures of these builds, and of events with debug ids, whatever their build: the
   * newest event of each, newest first, at most `limit`.
   */
  keptStacks(builds: readonly MappedBuild[], limit: number, signal?: AbortSignal): Promise<KeptStack[]>
  /** Gives the events of such stacks other fingerprints; gives how many it gave one. */
  identify(builds: readonly MappedBuild[], identities: readonly NewIdentity[]): Promise<number>
  /**
   * What is kept, on how much disk, and how many questions were asked since the store was opened and how long they
   * took in all. Cheap: read from memory and the file system.
   */
  stats(): Promise<StoreStats>
  /**
   * Drops the oldest events until the limits hold and gives their disk back; gives how many went. An event is as
   * old as its time or its acceptance says, whichever is longer ago.
   */
  retain(limits: { maxAgeMs: number; maxBytes: number }, nowMs: number): Promise<number>
  /** How many events `retain` would drop with these limits. */
  pastRetention(
    limits: { maxAgeMs: number; maxBytes: number },
    nowMs: number,
    signal?: AbortSignal,
  ): Promise<number>
  /** Resolves if everything stored can be read, and rejects with the reason otherwise, after five seconds at most. */
  check(): Promise<void>
  readonly failureBook: FailureBook
  readonly savedSearches: SavedSearches
  readonly sourceMaps: SourceMapStore
  readonly webhooks: WebhookStore
  readonly tokens: TokenStore
  readonly settings: SettingStore
  /** Finishes what was accepted and lets go of the files. */
  close(): Promise<void>
}

/** Which events: those of the window that match the query. */
export type Filter = { window: Window; query: Query }

/**
 * `before` and `after` are cursors that an earlier page gave; a page never counts an offset. What is no cursor
 * counts as none, so that a damaged link leads to the first page.
 */
export type EventQuestion = Filter & {
  limit: number
  before?: string | undefined
  after?: string | undefined
  /** The paths of attributes that the rows are to have. */
  attributes?: readonly string[]
}

/**
 * Newest first in either direction. A cursor is `null` where nothing lies beyond in that direction; back to
 * where the page was reached from there is always one.
 */
export type EventPage<Event> = { events: Event[]; older: string | null; newer: string | null }

export type HistogramBucket = { startMs: number; counts: Record<Severity, number> }

export const facetFields = ['service', 'route', 'status', 'release', 'source', 'severity'] as const
export type FacetField = (typeof facetFields)[number]
export type FacetCounts = { field: FacetField; values: { value: string; count: number }[] }

export type RequestFilter = { window: Window; service: string | null }

export type RequestCounts = {
  requests: number
  /** Of them, answered with a status of 500 or above. */
  errors: number
  /** Exact, interpolated between neighbours. `null` without requests. */
  p50Ms: number | null
  p95Ms: number | null
  p99Ms: number | null
}
export type RequestBucket = RequestCounts & { startMs: number }
export type RouteCounts = RequestCounts & { service: string; method: string | null; route: string | null }

export type LatencyCell = { bucket: number; band: number; requests: number }

export type StoreStats = {
  events: number
  diskBytes: number
  oldestMs: number | null
  /** Paths, in the folder of the store, of damaged files that were set aside and are still there. */
  damagedFiles: readonly string[]
  questions: number
  questionsMs: number
}

export type AttributeSeries = { path: string; of: 'mean' | 'highest' | 'sum' }

export type VitalFigures = {
  service: string
  route: string | null
  name: VitalName
  count: number
  /** Exact, interpolated between neighbours: milliseconds, and for CLS a score. */
  p75: number
  /** p75 of each bucket, oldest first. */
  sparkline: (number | null)[]
}

export type ServiceFigures = RequestCounts & {
  service: string
  /** Of its newest event that names one. */
  release: string | null
  events: number
  /** Occurrences of open failures. */
  failures: number
  /** Events per bucket, oldest first; as many as the window has buckets. */
  sparkline: number[]
  lastSeenMs: number
}

export type FailureQuestion = {
  window: Window
  bucketMs: number
  sort: 'newest' | 'frequent'
  /** `null` for all. */
  state: FailureState | null
  service: string | null
  limit: number
}

export type KnownRelease = { service: string; release: string; firstSeenMs: number }

/** A release that source maps were uploaded for; `service: null` for that release of any service. */
export type MappedBuild = { service: string | null; release: string }

/** `key` names the stack to `identify`. */
export type KeptStack = { key: string; eventId: number }
export type NewIdentity = { key: string; fingerprint: string }

/** The store can't be used: `message` says why and what to do, in a sentence for the operator. */
export class StoreUnavailableError extends Error {
  override name = 'StoreUnavailableError'
}
