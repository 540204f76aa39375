import type { Replicas } from '../../replicas.ts'
import type { Lease } from './lease.ts'

const everyMs = 500

export type Watch = Replicas & {
  /** Calls the listeners for state that another replica has changed. */
  stateChanged(): void
  stop(): Promise<void>
}

/**
 * Looks for what other replicas have stored, twice a second.
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
  const eventListeners = new Set<() => void>()
  const stateListeners = new Set<() => void>()
  const callAll = (listeners: ReadonlySet<() => void>) => {
    for (const listener of listeners) listener()
  }

  const look = async () => {
    const isNew = await lease.renew()
    if (isNew) callAll(stateListeners)
    await refreshState()
    if ((await refreshEvents()) || isNew) callAll(eventListeners)
  }

  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let looking = Promise.resolve()
  const schedule = () => {
    if (isStopped) return
    timer = setTimeout(() => {
      // During an outage, the next look tries again.
      looking = look()
        .catch(() => {})
        .finally(schedule)
    }, everyMs)
    timer.unref()
  }
  schedule()

  const subscribe = (listeners: Set<() => void>) => (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  return {
    lease: lease.signal,
    onEvents: subscribe(eventListeners),
    onState: subscribe(stateListeners),
    stateChanged: () => callAll(stateListeners),
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await looking
      await lease.release().catch(() => {})
    },
  }
}
