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
    /** Resolves if all stored data can be read. Otherwise rejects with the reason, within five seconds. */
    check(): Promise<void>
    /** Cheap, because it reads only memory and file metadata. */
    stats(): Promise<StoreStats>
    /** Finishes accepted work and closes the files. */
    close(): Promise<void>
  }

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

/** The store cannot be used. `message` explains the cause and the fix to the operator. */
export class StoreUnavailableError extends Error {
  override name = 'StoreUnavailableError'
}
