import { AsyncLocalStorage } from 'node:async_hooks'

export type BackgroundTask = {
  /** Starts a run now, or when the current run ends. Resolves when the new run ends. */
  wake(): Promise<void>
  /** Schedules a run. Has no effect if an earlier run is already scheduled. */
  wakeIn(ms: number): void
  /** Aborts the current run's signal, waits until the run ends, and prevents further runs. */
  stop(): Promise<void>
}

/**
 * Executes a background task, one run at a time. All wake-ups during a run share one further run.
 * @param everyMs a run starts this long after the start of the previous one, unless the task is woken earlier; the timer
 * does not keep the process alive
 */
export function createBackgroundTask(options: {
  run: (signal: AbortSignal) => Promise<void>
  onError: (error: unknown) => void
  everyMs?: number
}): BackgroundTask {
  const { run, onError, everyMs } = options
  const stopping = new AbortController()
  let latest: Promise<void> = Promise.resolve()
  let queued: Promise<void> | null = null
  let timer: NodeJS.Timeout | undefined
  let timerDueMs = Number.POSITIVE_INFINITY

  // Without this, a run and the messages that it sends would belong to the trace of the request that woke the task.
  const inOwnContext = AsyncLocalStorage.snapshot()

  const start = async () => {
    queued = null
    if (stopping.signal.aborted) return
    interval?.refresh()
    try {
      await run(stopping.signal)
    } catch (error) {
      onError(error)
    }
  }

  const wake = (): Promise<void> => {
    if (queued === null) {
      queued = latest.then(() => inOwnContext(start))
      latest = queued
    }
    return queued
  }

  const interval = everyMs === undefined ? undefined : setInterval(() => void wake(), everyMs)
  interval?.unref()

  return {
    wake,
    wakeIn(ms) {
      const dueMs = performance.now() + ms
      if (stopping.signal.aborted || timerDueMs <= dueMs) return
      clearTimeout(timer)
      timerDueMs = dueMs
      timer = setTimeout(() => {
        timerDueMs = Number.POSITIVE_INFINITY
        void wake()
      }, ms)
    },
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      clearInterval(interval)
      await latest
    },
  }
}
