import { setTimeout } from 'node:timers/promises'
import { createBackgroundTask } from '../../../background-task.ts'
import type { Listener, Replicas, Subscribe } from '../../replicas.ts'
import { maxInsertMs } from './insert.ts'
import type { Lease } from './lease.ts'

const everyMs = 500
/** Limits how long a page waits for a server that does not respond. */
const maxWaitMs = 2000
/**
 * Events whose fingerprints were computed before a change may have to wait for two inserts: that of the batch in progress,
 * and their own.
 */
const delayMs = 2 * maxInsertMs + 3000

export type Watch = Replicas & {
  /** Calls the `onState` listeners. Call this after another replica has changed the state. */
  stateChanged(): void
  stop(): Promise<void>
}

/**
 * Checks twice a second whether other replicas have stored anything, and renews the lease or tries to get it.
 * @param options.refreshEvents returns whether other replicas have stored events
 * @param options.refreshState calls `stateChanged` if other replicas have changed the state
 */
export function startWatch({
  lease,
  refreshEvents,
  refreshState,
}: {
  lease: Lease
  refreshEvents: () => Promise<boolean>
  refreshState: () => Promise<void>
}): Watch {
  const onLease = createListeners()
  const onEvents = createListeners()
  const onState = createListeners()

  // During an outage, the next run tries again. Queries that follow a refresh report the outage.
  const onError = () => {}
  const refreshTask = createBackgroundTask({
    everyMs,
    onError,
    async run() {
      // The next run would not report these events again, so an error in the other refresh must not prevent this report.
      const [hasNewEvents] = await Promise.allSettled([refreshEvents(), refreshState()])
      if (hasNewEvents.status === 'fulfilled' && hasNewEvents.value) onEvents.call()
      await Promise.all([onEvents.settled(), onState.settled()])
    },
  })
  const leaseTask = createBackgroundTask({
    everyMs,
    onError,
    async run() {
      if (await lease.renew()) onLease.call()
    },
  })

  return {
    lease: lease.signal,
    onLease: onLease.add,
    onEvents: onEvents.add,
    onState: onState.add,
    delayMs,
    async refresh() {
      const ended = new AbortController()
      const limit = setTimeout(maxWaitMs, null, { signal: ended.signal, ref: false }).catch(() => null)
      await Promise.race([refreshTask.wake(), limit])
      ended.abort()
    },
    stateChanged: onState.call,
    async stop() {
      await Promise.all([refreshTask.stop(), leaseTask.stop()])
      await lease.release().catch(() => {})
    },
  }
}

function createListeners(): { add: Subscribe; call(): void; settled(): Promise<unknown> } {
  const listeners = new Set<Listener>()
  const running = new Set<Promise<void>>()
  return {
    add(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    call() {
      for (const listener of listeners) {
        const run = Promise.resolve(listener()).finally(() => running.delete(run))
        running.add(run)
      }
    },
    settled: () => Promise.all(running),
  }
}
