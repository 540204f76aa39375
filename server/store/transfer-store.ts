import type { LogEvent } from '../../shared/event.ts'
import type { IdRange } from './common/accepted-hour.ts'
import type { State } from './state/state.ts'

/**
 * Copies data from one store to another (docs/decisions/0030-copy.md). Nothing else should use the stores during
 * the copy, because other parts of this process may not notice the changes until the store is opened again.
 */
export type TransferStore = {
  /** Counts the events by the hour in which they were accepted, oldest hour first. Omits hours without events. */
  acceptedHours(signal?: AbortSignal): Promise<AcceptedHour[]>
  /** Divides the events with these ids into pages of `size` events. Returns the last id of each full page. */
  pageEnds(ids: IdRange, size: number, signal?: AbortSignal): Promise<number[]>
  /** Reads all events with these ids, in the order of their ids. */
  eventsInIds(ids: IdRange, signal?: AbortSignal): Promise<LogEvent[]>
  /**
   * Stores events with their ids, which must increase. Skips events whose ids exist, but updates their fingerprints. Once the
   * promise resolves, the events survive even if the process is killed. Later events get greater ids.
   */
  importEvents(events: readonly LogEvent[]): Promise<ImportResult>
  /**
   * Runs work that reads or changes the shared state, and stores the changes atomically. The work must replace values, not
   * change them in place.
   */
  sharedState<T>(work: (state: SharedState) => T): Promise<T>
}

export type AcceptedHour = { startMs: number; events: number }

export type ImportResult = {
  /** The number of events that the store did not contain. */
  stored: number
  /** The number of events whose fingerprint changed. */
  regrouped: number
}

/**
 * Everything except events and their changes, source maps and undos. Undos are short-lived and may contain secrets. Tokens
 * contain the time of their last use.
 */
export type SharedState = Omit<
  State,
  'eventChanges' | 'sourceMaps' | 'appliedSourceMaps' | 'tokenUses' | 'undos'
>

/** The collections of the shared state. Fingerprints come before the collections that refer to them. */
export const sharedCollections = [
  'failureIds',
  'mergedFrom',
  'follows',
  'failures',
  'signatures',
  'splits',
  'notes',
  'progress',
  'savedSearches',
  'webhooks',
  'deliveries',
  'tokens',
  'endedSessions',
  'audit',
  'settings',
] as const satisfies readonly (keyof SharedState)[]
