import type { FailureNote, FailureReach, FailureRow, FailureState } from '../../shared/failure.ts'
import type { Window } from '../../shared/range.ts'

/**
 * Queries about failures. A failure consists of the stored events with its fingerprints. Its id is one of them, and does
 * not change when more are added (docs/decisions/0008-failure-states.md). A fingerprint that no failure has is itself the
 * id of a failure.
 */
export type FailureStore = {
  /** The id of the failure that a fingerprint belongs to. Ids of failures that were merged count as fingerprints. */
  failureId(fingerprint: string, signal?: AbortSignal): Promise<string>
  /** Failures with an occurrence in the window; messages are cut to 500 characters. */
  failures(query: FailureQuery, signal?: AbortSignal): Promise<FailureRow[]>
  /** How many failures and occurrences the window has, by the state of the failure. */
  failureCounts(window: Window, signal?: AbortSignal): Promise<FailureCounts>
  /** One failure over all stored events, with its whole message, or `null`. */
  failure(id: string, bucketMs: number, window: Window, signal?: AbortSignal): Promise<FailureRow | null>
  /** Occurrences of a failure by release, newest first, at most 100. `omitted` counts the older releases. */
  failureReleases(id: string, signal?: AbortSignal): Promise<{ releases: FailureRelease[]; omitted: number }>
  /** The requests and users that a failure affected, over all stored events. */
  failureReach(id: string, signal?: AbortSignal): Promise<FailureReach>
  /**
   * The id of the failure of the newest event with this digest, compared with and without an `@E…` suffix, or `null`.
   * Events from browsers rank last: they contain the digest but not the cause.
   */
  failureOfDigest(digest: string, signal?: AbortSignal): Promise<string | null>
  /**
   * The distinct stacks among the failures of these builds, and among events with debug ids of any build: the newest
   * event of each, newest first.
   */
  storedStacks(builds: readonly MappedBuild[], limit: number, signal?: AbortSignal): Promise<StoredStack[]>
  /**
   * Changes the fingerprints of the events with these stacks.
   * @returns the number of changed events
   */
  regroup(builds: readonly MappedBuild[], fingerprints: readonly NewFingerprint[]): Promise<number>
  /** Those of `fingerprints` that some events still have after `regroup` with these builds and changes. */
  fingerprintsAfterRegroup(
    builds: readonly MappedBuild[],
    changes: readonly NewFingerprint[],
    fingerprints: readonly string[],
  ): Promise<string[]>
  readonly failureStates: FailureStates
}

export type FailureQuery = {
  window: Window
  bucketMs: number
  sort: 'newest' | 'frequent'
  /** `null` for all. */
  state: FailureState | null
  service: string | null
  limit: number
}

export type FailureCounts = Record<FailureState, { failures: number; occurrences: number }>

export type FailureRelease = {
  release: string | null
  count: number
  firstSeenMs: number
  lastSeenMs: number
}

/** A release that has source maps; `service: null` for that release of any service. */
export type MappedBuild = { service: string | null; release: string }

/** `key` identifies the stack for `regroup`. */
export type StoredStack = { key: string; eventId: number }
export type NewFingerprint = { key: string; fingerprint: string }

/**
 * Known failures, their states and their notes. They outlive the events. An unknown failure is open. Once a promise
 * resolves, the change survives a kill of the process.
 */
export type FailureStates = {
  /** The first call on a new store marks the failures of all stored events as known; later calls do nothing. */
  init(): Promise<void>
  /** Reads occurrences that were accepted after the last committed scan, oldest first, at most `limit`. */
  scan(limit: number): Promise<Scan>
  /** Stores the result of a scan, all or nothing. The next scan continues after it. */
  commit(result: ScanResult): Promise<void>
  /** Marks fingerprints as known: their next occurrence is not a new failure. Known ones do not change. */
  markKnown(fingerprints: readonly string[]): Promise<void>
  isKnown(fingerprint: string): Promise<boolean>
  /** Resolves a failure: later occurrences in newer releases count as a return. */
  resolve(id: string, resolution: Resolution): Promise<void>
  /** Mutes or opens a failure, and clears the records of its resolution and return. */
  setState(id: string, state: 'open' | 'muted', atMs: number): Promise<void>
  /**
   * Adds the fingerprints and notes of one failure to another, and its state unless somebody set one there. Links to
   * the merged failure lead to the other one.
   */
  merge(id: string, into: string): Promise<void>
  /** Newest first. */
  notes(id: string): Promise<FailureNote[]>
  addNote(id: string, note: FailureNote): Promise<void>
  removeNote(id: string, noteId: string): Promise<void>
}

export type Resolution = {
  atMs: number
  /** The release that contains the fix; `null` for the next one. */
  release: string | null
  /** Releases in which it may still occur. `release: null`: an occurrence without a release does not count as a return. */
  oldReleases: ServiceRelease[]
}

export type ServiceRelease = { service: string; release: string | null }

export type Scan = {
  /** Occurrences of unknown failures and of resolved ones, in the order of acceptance. */
  occurrences: ScannedOccurrence[]
  /** The newest id that was examined. */
  lastId: number
  /** No occurrences are left. */
  isEnd: boolean
}

/** Occurrences of one failure in one release of a service. */
export type ScannedOccurrence = ServiceRelease & {
  failureId: string
  /** When the first of them was accepted. Its own time may be before the resolution. */
  acceptedMs: number
  /** `null` for an unknown failure. */
  resolution: Resolution | null
}

export type ScanResult = {
  /** Ids of the new failures. */
  known: string[]
  /** A return counts if the failure is still resolved as it was at `resolvedMs`. */
  returned: { failureId: string; release: string | null; atMs: number; resolvedMs: number }[]
  lastId: number
}
