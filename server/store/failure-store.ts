import type {
  FailureImpact,
  FailureNote,
  FailureRow,
  FailureSort,
  FailureState,
} from '../../shared/failure.ts'
import type { Window } from '../../shared/range.ts'
import type { Position } from './event-store.ts'
import type { FailureDigests } from './failure-digests.ts'
import type { FailureGrouping, ManualGrouping } from './failure-grouping.ts'
import type { StateSnapshot } from './failure-record.ts'

/**
 * Queries about failures. A failure has one or more fingerprints and consists of all stored events that have one of them.
 * Its id is one of the fingerprints, and does not change when others are added (docs/decisions/0008-failure-states.md). A
 * fingerprint that belongs to no other failure is itself a failure id.
 */
export type FailureStore = {
  /** The id of the failure that a fingerprint belongs to. The id of a merged failure is also a fingerprint. */
  failureId(fingerprint: string, signal?: AbortSignal): Promise<string>
  /**
   * Failures with occurrences in the window. Messages are truncated to 500 characters. Of more than 50,000 failures, an engine
   * may omit some with the fewest occurrences, from the counts as well.
   */
  failures(query: FailureQuery, signal?: AbortSignal): Promise<FailureList>
  /** Counts the failures and occurrences in the window by failure state. */
  failureCounts(window: Window, signal?: AbortSignal): Promise<FailureCounts>
  /** One failure with its whole message, or `null` if it has no stored events. */
  failure(id: string, bucketMs: number, window: Window, signal?: AbortSignal): Promise<FailureRow | null>
  /** All services of a failure, in alphabetical order; an engine may omit some of more than 10,000. */
  failureServices(id: string, signal?: AbortSignal): Promise<string[]>
  /** Occurrences of a failure in its newest 100 releases, newest first. `omitted` counts the older releases. */
  failureReleases(id: string, signal?: AbortSignal): Promise<{ releases: FailureRelease[]; omitted: number }>
  /** Counts the requests and users that a failure affected, across all stored events. */
  failureImpact(id: string, signal?: AbortSignal): Promise<FailureImpact>
  /**
   * The ids of the failures whose events have this digest, ignoring an `@E…` suffix, newest event first, at most ten. Events
   * without an exception rank below others, and browser events last, because they contain the digest but not the cause.
   */
  failuresOfDigest(digest: string, signal?: AbortSignal): Promise<string[]>
  /**
   * The distinct stacks of failures in these builds, and then those of other events with debug ids; both newest first, each
   * with its newest event.
   */
  storedStacks(builds: readonly MappedBuild[], limit: number, signal?: AbortSignal): Promise<StoredStack[]>
  /**
   * Changes the fingerprints of all events with these stacks.
   * @returns the number of changed events
   */
  regroup(builds: readonly MappedBuild[], fingerprints: readonly NewFingerprint[]): Promise<number>
  /**
   * Returns the `fingerprints` that would still belong to at least one event after `regroup` with these builds and changes.
   */
  fingerprintsAfterRegroup(
    builds: readonly MappedBuild[],
    changes: readonly NewFingerprint[],
    fingerprints: readonly string[],
  ): Promise<string[]>
  readonly failureStates: FailureStates
  readonly failureGrouping: FailureGrouping
  readonly manualGrouping: ManualGrouping
  readonly failureDigests: FailureDigests
}

export type FailureQuery = {
  window: Window
  bucketMs: number
  sort: FailureSort
  /** `null` means all states. */
  state: FailureState | null
  service: string | null
  /**
   * A phrase in the type, message, id, digests, services or route, ignoring case and quotes around it; `null` means all
   * failures.
   */
  text: string | null
  limit: number
  /** The number of failures to skip at the start of the list. Defaults to 0. */
  offset?: number
}

export type FailureList = {
  failures: FailureRow[]
  /** Counts all failures that match `service` and `text`, in any state. */
  counts: FailureCounts
  /** All services with failures in the window, in alphabetical order; an engine may omit some of more than 10,000. */
  services: string[]
}

export type FailureCounts = Record<FailureState, { failures: number; occurrences: number }>

export type FailureRelease = {
  release: string | null
  count: number
  firstSeenMs: number
  lastSeenMs: number
}

/** A release that has source maps. `service: null` matches the release of any service. */
export type MappedBuild = { service: string | null; release: string }

/** `key` identifies the stack for `regroup`. */
export type StoredStack = { key: string; eventId: number }
export type NewFingerprint = { key: string; fingerprint: string }

/**
 * Known failures with their states and notes, which outlive the events. An unknown failure is open. Once a promise resolves,
 * the change survives even if the process is killed.
 */
export type FailureStates = {
  /** The first call on a new store marks the failures of all stored events as known; later calls do nothing. */
  init(): Promise<void>
  /**
   * Reads up to `limit` occurrences that were accepted after the last committed scan, oldest first.
   */
  scan(limit: number): Promise<Scan>
  /** Stores a scan result atomically. The next scan continues after its position. */
  commit(result: ScanResult): Promise<void>
  /**
   * Returns the occurrences that were accepted after a failure was resolved, as `scan` does, but only those that have been
   * scanned. The next scan returns the others. Empty unless the failure is resolved.
   */
  occurrencesSinceResolved(id: string): Promise<ScannedOccurrence[]>
  /** Reopens resolved failures that have returned, as `commit` does. */
  reopen(returned: ScanResult['returned']): Promise<void>
  /** Marks fingerprints as known: their next occurrence is not a new failure. Known fingerprints do not change. */
  markKnown(fingerprints: readonly string[]): Promise<void>
  isKnown(fingerprint: string): Promise<boolean>
  /** Resolves a failure. A later occurrence in a newer release is a return. `by` is the user's name. */
  resolve(id: string, resolution: Resolution, by?: string | null): Promise<void>
  /** Replaces the old releases of a failure, if the resolution from `resolvedMs` is still in effect. */
  replaceOldReleases(id: string, resolvedMs: number, oldReleases: readonly ServiceRelease[]): Promise<void>
  /** Mutes or reopens a failure, and clears its resolution and return. At `untilMs`, `reopenDue` reopens a muted failure. */
  setState(
    id: string,
    state: 'open' | 'muted',
    atMs: number,
    options?: { untilMs?: number | null; by?: string | null },
  ): Promise<void>
  /** Reopens the failures whose mute period has ended. */
  reopenDue(nowMs: number): Promise<void>
  /** Returns the states of failures, for `restoreStates`. */
  snapshotStates(ids: readonly string[]): Promise<StateSnapshot>
  /**
   * Replaces the states of failures. Repeating the call changes nothing. If a failure has been merged into another one, the
   * other one does not change, and the merged failure gets the restored state when it is split off.
   */
  restoreStates(snapshot: StateSnapshot): Promise<void>
  /**
   * Adds the fingerprints and notes of one failure to another. Its state moves too, unless the other failure has one. Links
   * to the first failure then open the other one.
   */
  merge(id: string, into: string): Promise<void>
  /** Newest first. */
  notes(id: string): Promise<FailureNote[]>
  addNote(id: string, note: FailureNote): Promise<void>
  removeNote(id: string, noteId: string): Promise<void>
}

export type Resolution = {
  atMs: number
  /** The release that contains the fix; `null` means the next release. */
  release: string | null
  /**
   * Releases in which the failure may still occur, and also in lower versions of the same service. With `release: null`,
   * occurrences without a release are not returns. Also contains the release with the fix for each service that uses it: that
   * release is not old, but lower versions are.
   */
  oldReleases: ServiceRelease[]
}

export type ServiceRelease = { service: string; release: string | null }

export type Scan = {
  /** Occurrences of unknown and resolved failures, in order of acceptance. */
  occurrences: ScannedOccurrence[]
  /** The position up to which events were examined. */
  position: Position
  /** Whether no occurrences are left. */
  isEnd: boolean
}

/** Occurrences of one failure in one release of a service. */
export type ScannedOccurrence = ServiceRelease & {
  failureId: string
  /** The fingerprint that the occurrences' fingerprints follow: see `FailureDigests`. */
  followed: string | null
  /** The first occurrence. */
  eventId: number
  /** When the first occurrence was accepted. Its event time may be before the resolution. */
  acceptedMs: number
  /** `null` for an unknown failure. */
  resolution: Resolution | null
}

export type ScanResult = {
  /** Ids of the new failures. */
  known: string[]
  /** A return is ignored unless the resolution from `resolvedMs` is still in effect. */
  returned: { failureId: string; release: string | null; atMs: number; resolvedMs: number }[]
  position: Position
}
