import { dayMs, hourMs, minuteMs } from '../../shared/duration-units.ts'
import type { BackgroundTask } from '../background-task.ts'
import type { Events } from '../events/events.ts'
import { createLeaderTask } from '../leader-task.ts'
import type { Logger } from '../logger.ts'
import { createOutageLog } from '../outage-log.ts'
import type { Mutex } from '../store/common/mutex.ts'
import type { FailureStates, Scan } from '../store/failure-store.ts'
import { QueryLimitError, type Store } from '../store/store.ts'
import type { FailureAlert } from './alert.ts'
import { createAlertLimit } from './alert-limit.ts'
import { type DetectedAlert, detectAlerts } from './detect-alerts.ts'
import { joinRedactedReports } from './join-redacted-reports.ts'
import { withoutJoinedReports } from './redacted-report.ts'
import type { Signatures } from './signatures.ts'

/** Maximum number of occurrences per scan. */
const scanLimit = 10_000

export type FailureMonitorOptions = {
  store: Pick<Store, 'failure' | 'replicas' | 'failureDigests'> & {
    failureStates: Pick<FailureStates, 'init' | 'scan' | 'commit'>
  }
  signatures: Signatures
  events: Pick<Events, 'onCommit'>
  logger: Pick<Logger, 'error' | 'info' | 'warn'>
  notify: (alert: FailureAlert) => Promise<void>
  /** Keeps events from being regrouped between a scan and its commit. Pass the same lock to `startRegrouping`. */
  withScanLock: Mutex
  /** Minimum pause between two scans. */
  pauseMs?: number
  /** Pause after an error before missing signatures are backfilled again. */
  backfillRetryMs?: number
  /** Pause before the fingerprints of browser reports whose events have expired are forgotten. */
  forgetPauseMs?: number
  nowMs?: () => number
}

export type FailureMonitor = Pick<BackgroundTask, 'stop'> & {
  /**
   * Scans the stored events that have not been scanned. Resolves when the states of their failures are up to date, the scan
   * has failed, or another replica has the lease and will scan them soon.
   */
  scan(): Promise<void>
}

/**
 * Detects new failures, and resolved failures that return, after their events are stored. Stores progress and findings
 * together, so after a crash, the monitor resumes where it stopped. Sends the alerts first, so a crash may repeat an alert
 * but never loses one.
 *
 * @throws the store's error if its first query fails
 */
export async function startFailureMonitor(options: FailureMonitorOptions): Promise<FailureMonitor> {
  const { store, signatures, events, logger, notify, withScanLock, nowMs = Date.now } = options
  const { pauseMs = 1000, backfillRetryMs = minuteMs, forgetPauseMs = hourMs } = options
  await store.failureStates.init()
  const alertLimit = createAlertLimit(logger)
  const outage = createOutageLog(logger, {
    start: 'Failed to detect new failures',
    end: 'Resumed detecting new failures',
  })
  let backfillAtMs = Number.NEGATIVE_INFINITY
  let hasBackfillError = false
  let endedMs = Number.NEGATIVE_INFINITY

  const alert = async ({ kind, failureId, service, release, atMs }: DetectedAlert) => {
    const window = { fromMs: nowMs() - dayMs, toMs: nowMs() }
    const failure = await store.failure(failureId, hourMs, window).catch((err: unknown) => {
      if (!(err instanceof QueryLimitError)) throw err
      // A further attempt would probably exceed the limit too, and must not delay all other alerts.
      logger.error({ err, failure: failureId }, 'Failed to load a failure for its alert')
      return null
    })
    // Retention may already have deleted the failure's events.
    if (failure === null) return
    const returned = kind === 'returned' ? { release, atMs } : null
    await notify({ kind, failure: { ...failure, state: 'open', returned }, service, release, atMs })
  }

  /** Joins new fingerprints with known failures before alerts are sent, so that they are not reported as new. */
  const join = async (scan: Scan) =>
    (await joinRedactedReports(scan, store.failureDigests)) || signatures.joinNearMatches(scan)

  const readScan = async (): Promise<Scan> => {
    const scan = await store.failureStates.scan(scanLimit)
    return { ...scan, occurrences: withoutJoinedReports(scan.occurrences) }
  }

  const scanOnce = async (): Promise<Scan> => {
    let scan = await readScan()
    // The next scan may include newer events, whose failures must be joined too before alerts are sent.
    while (await join(scan)) scan = await readScan()
    const { alerts, findings } = detectAlerts(scan)
    const chosen = alertLimit.choose(alerts)
    for (const each of chosen) await alert(each)
    await store.failureStates.commit({ ...findings, position: scan.position })
    alertLimit.count(alerts, chosen)
    return scan
  }

  /** Without the signatures, failures are still detected, but fewer are recognised in newer releases. */
  const backfill = async (signal: AbortSignal) => {
    try {
      if (!(await signatures.backfill(signal))) backfillAtMs = Number.POSITIVE_INFINITY
      else if (!signal.aborted) scanTask.wakeIn(pauseMs)
    } catch (err) {
      // Log only the first error.
      if (!hasBackfillError) logger.error({ err }, 'Failed to backfill the signatures of known failures')
      hasBackfillError = true
      backfillAtMs = performance.now() + backfillRetryMs
    }
  }

  let forgetAtMs = performance.now() + forgetPauseMs
  /** Runs between two scans, because a scan must not find a fingerprint known that is then forgotten. */
  const forget = async () => {
    if (performance.now() < forgetAtMs) return
    forgetAtMs = performance.now() + forgetPauseMs
    await store.failureDigests.forgetUnused()
  }

  const scanTask = createLeaderTask({
    replicas: store.replicas,
    async run(signal) {
      try {
        let isEnd = false
        while (!isEnd) isEnd = await withScanLock(async () => signal.aborted || (await scanOnce()).isEnd)
        if (!signal.aborted) await forget()
        outage.succeeded()
        // After the scan, because a backfill for thousands of failures takes minutes.
        if (!signal.aborted && performance.now() >= backfillAtMs) await backfill(signal)
      } finally {
        endedMs = performance.now()
      }
    },
    onError(err) {
      outage.failed(err)
      wake()
    },
  })
  const wake = () => scanTask.wakeIn(Math.max(0, endedMs + pauseMs - performance.now()))

  // Scan the events that the previous process did not scan.
  void scanTask.wake()
  const stopListening = [
    events.onCommit(committed => {
      if (committed.some(({ fingerprint }) => fingerprint !== null)) wake()
    }),
    store.replicas.onEvents(wake),
  ]

  return {
    scan: () => scanTask.wake(),
    stop() {
      for (const stop of stopListening) stop()
      return scanTask.stop()
    },
  }
}
