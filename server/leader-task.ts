import { type BackgroundTask, createBackgroundTask } from './background-task.ts'

/**
 * Like `createBackgroundTask`, for work that only one replica may do at a time. On replicas without the lease, a run does
 * nothing. A run starts when this replica gets the lease. The signal of a run also aborts when the lease is lost.
 */
export function createLeaderTask({
  replicas,
  run,
  ...options
}: Parameters<typeof createBackgroundTask>[0] & {
  /** See `store/replicas.ts`. */
  replicas: { lease(): AbortSignal | null; onLease(listener: () => void): () => void }
}): BackgroundTask {
  // One for all runs with the same lease, because Node 20 keeps a combined signal in memory until one of its sources
  // aborts.
  let combined: { lease: AbortSignal; signal: AbortSignal } | null = null
  const task = createBackgroundTask({
    ...options,
    async run(signal) {
      const lease = replicas.lease()
      if (lease === null) return
      if (combined?.lease !== lease) combined = { lease, signal: AbortSignal.any([signal, lease]) }
      await run(combined.signal)
    },
  })
  const unsubscribe = replicas.onLease(() => void task.wake())
  return {
    ...task,
    stop() {
      unsubscribe()
      return task.stop()
    },
  }
}
