/** A listener that may return a promise, for which `Replicas.refresh` waits. It must not throw. */
export type Listener = () => void | Promise<void>
/** Adds a listener. Returns a function that removes it. */
export type Subscribe = (listener: Listener) => () => void

/**
 * The processes (replicas) that use the same store. With an engine that only one process can use, that process always has the
 * lease, and no listener is ever called.
 */
export type Replicas = {
  /**
   * Returns a signal that aborts when this replica loses the lease, or `null` if another replica has it. Only the replica with
   * the lease does work that must not run twice at the same time.
   */
  lease(): AbortSignal | null
  /** Calls the listener when this replica gets the lease. */
  onLease: Subscribe
  /** Calls the listener within a second after another replica has stored events. */
  onEvents: Subscribe
  /** Calls the listener within a second after another replica has stored anything else. */
  onState: Subscribe
  /** Every replica has seen a change after this time, although their clocks may differ by a second. 0 if there is only one. */
  readonly delayMs: number
  /**
   * Resolves when the listeners have been called for everything that other replicas have stored before, and queries use it, or
   * after two seconds. Never rejects.
   */
  refresh(): Promise<void>
}

const never = new AbortController().signal

/** For engines that only one process can use. */
export const onlyReplica: Replicas = {
  lease: () => never,
  onLease: () => () => {},
  onEvents: () => () => {},
  onState: () => () => {},
  delayMs: 0,
  refresh: async () => {},
}
