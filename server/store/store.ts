import type { EventStore } from './event-store.ts'
import type { FailureStore } from './failure-store.ts'
import type { WorkspaceStore } from './workspace-store.ts'

/**
 * Everything that the console stores. The interface is independent of any SQL dialect. Each engine has its own folder and
 * passes the conformance tests in `store/conformance/`.
 */
export type Store = EventStore &
  FailureStore &
  WorkspaceStore & {
    /** Resolves if all stored data can be read; rejects with the reason otherwise, after five seconds at most. */
    check(): Promise<void>
    /** Cheap: reads memory and the file system. */
    stats(): Promise<StoreStats>
    /** Finishes accepted work and closes the files. */
    close(): Promise<void>
  }

export type StoreStats = {
  events: number
  diskBytes: number
  oldestMs: number | null
  /** Paths, in the store's folder, of damaged files that were set aside and are still there. */
  damagedFiles: readonly string[]
  /** Queries since the store was opened, and the sum of their durations. */
  queries: number
  queriesMs: number
}

/** The store cannot be used. `message` explains the reason and the remedy to the operator. */
export class StoreUnavailableError extends Error {
  override name = 'StoreUnavailableError'
}
