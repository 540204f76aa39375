/** A listener must not throw. If it returns a promise, `Replicas.refresh` waits for the promise. */
export type Listener = () => void | Promise<void>
/** Adds a listener. Returns a function that removes it. */
export type Subscribe = (listener: Listener) => () => void

/**
 * The processes (replicas) that use the same store. With an engine that only one process can use, that process always has the
 * lease, and no listener is ever called.
 */
export type Replicas = {
  /**
   * Returns a signal that aborts when this replica loses the lease, or `null` if this replica does not have it. Only the
   * replica with the lease does work that must not run twice at the same time.
   */
  lease(): AbortSignal | null
  /** Calls the listener when this replica gets the lease. */
  onLease: Subscribe
  /** Calls the listener within a second after another replica has stored events. */
  onEvents: Subscribe
  /** Calls the listener within a second after another replica has stored anything else. */
  onState: Subscribe
  /**
   * Within this time after a change, every replica sees the change, and has stored all events that it processed before it
   * saw the change, even if clocks differ by a second. 0 if there is only one replica.
   */
  readonly delayMs: number
  /**
   * Waits, for at most two seconds, until queries and listeners have seen everything that other replicas stored before the
   * call. Never rejects.
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
