import type { EventStore } from './event-store.ts'
import type { FailureStore } from './failure-store.ts'
import type { Replicas } from './replicas.ts'
import type { TransferStore } from './transfer-store.ts'
import type { WorkspaceStore } from './workspace-store.ts'

export { QueryLimitError, StoreUnavailableError } from './store-errors.ts'

/**
 * Everything that the console stores. The interface is independent of any SQL dialect. Each engine has its own folder and
 * passes the conformance tests in `store/conformance/`.
 */
export type Store = EventStore &
  FailureStore &
  WorkspaceStore &
  TransferStore & {
    /**
     * Returns queries for a user who may see only the events of these services. They behave as if no other events were
     * stored.
     */
    limitedTo(services: readonly string[]): EventQueries
    readonly replicas: Replicas
    /** Resolves if the store responds to queries. Otherwise rejects with the reason, within five seconds. */
    check(): Promise<void>
    /** Cheap, because it reads no events. */
    stats(): Promise<StoreStats>
    /** Finishes accepted work, and closes files and connections. */
    close(): Promise<void>
  }

/** The queries that read events and do not change anything. */
export type EventQueries = Pick<
  EventStore,
  | 'events'
  | 'wholeEvents'
  | 'event'
  | 'since'
  | 'histogram'
  | 'facets'
  | 'attributeFacet'
  | 'counts'
  | 'services'
  | 'seenSources'
  | 'requestSeries'
  | 'routeMetrics'
  | 'webVitals'
  | 'sessions'
  | 'attributeSeries'
  | 'releaseStarts'
  | 'releases'
> &
  Pick<
    FailureStore,
    | 'failures'
    | 'failureCounts'
    | 'failure'
    | 'failureServices'
    | 'failureReleases'
    | 'failureImpact'
    | 'failuresOfDigest'
  >

export type StoreStats = {
  events: number
  diskBytes: number
  oldestMs: number | null
  /** Damaged files that were moved aside and still exist. Paths are relative to the store's folder. */
  damagedFiles: readonly string[]
  /** The number of queries since the store was opened, and their total duration. */
  queries: number
  queriesMs: number
}
