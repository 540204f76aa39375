/**
 * The processes (replicas) that use the same store. With an engine that only one process can use, that process always has the
 * lease, and the listeners are never called.
 */
export type Replicas = {
  /**
   * Returns a signal that aborts when this replica loses the lease, or `null` if another replica has it. Only the replica with
   * the lease does work that must not run twice at the same time.
   */
  lease(): AbortSignal | null
  /**
   * Calls the listener within a second after another replica has stored events, and when this replica gets the lease. Returns a
   * function that unsubscribes.
   */
  onEvents(listener: () => void): () => void
  /** Like `onEvents`, for everything else that is stored. */
  onState(listener: () => void): () => void
}

/** For engines that only one process can use. */
export const onlyReplica: Replicas = {
  lease: () => new AbortController().signal,
  onEvents: () => () => {},
  onState: () => () => {},
}
