import { createLeaderTask } from '../leader-task.ts'
import type { Logger } from '../logger.ts'
import { createOutageLog } from '../outage-log.ts'
import type { Store } from '../store/store.ts'
import { applySourceMaps, type SourceMapsOptions } from './apply-source-maps.ts'
import type { Signatures } from './signatures.ts'

/** An upload of many files counts as complete when no file has arrived for this long, or after `maxWaitMs`. */
const defaultQuietMs = 1000
const maxWaitMs = 30_000
/** Source maps are applied again after this time, because events may have been in the queue during the upload. */
const defaultSettleMs = 60_000
const defaultRetryMs = 60_000

export type RegroupingOptions = SourceMapsOptions & {
  store: Pick<Store, 'replicas'>
  signatures: Pick<Signatures, 'backfill'>
  logger: Pick<Logger, 'error' | 'info'>
  quietMs?: number
  settleMs?: number
  /** Pause after an error. */
  retryMs?: number
  nowMs?: () => number
}

/** Updates the fingerprints of stored events after source maps for their releases are uploaded. */
export type Regrouping = {
  /** Call after an upload. Resolves when the changes are stored, or another replica has the lease and will store them. */
  wake(): Promise<void>
  stop(): Promise<void>
}

/** Starts regrouping, first with the source maps that the previous process did not apply. */
export function startRegrouping({
  store,
  fingerprintEvents,
  withScanLock,
  signatures,
  logger,
  quietMs = defaultQuietMs,
  settleMs = defaultSettleMs,
  retryMs = defaultRetryMs,
  nowMs = Date.now,
}: RegroupingOptions): Regrouping {
  const delayMs = Math.max(settleMs, store.replicas.delayMs)
  let timer: NodeJS.Timeout | null = null
  let sinceMs = 0
  let waiting: (() => void)[] = []
  let isStopped = false
  const outage = createOutageLog(logger, {
    start: 'Failed to regroup failures using uploaded source maps',
    end: 'Resumed regrouping failures',
  })

  const regroupTask = createLeaderTask({
    replicas: store.replicas,
    async run(signal) {
      const { moved, releases, isIncomplete } = await applySourceMaps(
        { store, fingerprintEvents, withScanLock },
        // After the clock was set back, upload times can be in the future.
        uploadedMs => Math.abs(nowMs() - uploadedMs) >= delayMs,
        signal,
      )
      if (isIncomplete) regroupTask.wakeIn(delayMs)
      // Backfill even if no event moved, because an earlier attempt may have moved events and then failed.
      let canBackfill = releases.length > 0
      while (canBackfill && !signal.aborted) canBackfill = await signatures.backfill(signal)
      outage.succeeded()
      if (moved > 0) logger.info({ events: moved, releases }, 'Regrouped failures using uploaded source maps')
    },
    onError(err) {
      outage.failed(err)
      regroupTask.wakeIn(retryMs)
    },
  })
  void regroupTask.wake()

  const flush = async () => {
    timer = null
    const resolves = waiting
    waiting = []
    await regroupTask.wake()
    for (const resolve of resolves) resolve()
  }

  return {
    async wake() {
      if (isStopped) return
      if (timer === null) sinceMs = performance.now()
      else clearTimeout(timer)
      const leftMs = sinceMs + maxWaitMs - performance.now()
      timer = setTimeout(() => void flush(), Math.max(0, Math.min(quietMs, leftMs)))
      await new Promise<void>(resolve => waiting.push(resolve))
    },
    async stop() {
      isStopped = true
      if (timer !== null) clearTimeout(timer)
      await regroupTask.stop()
      await flush()
    },
  }
}
