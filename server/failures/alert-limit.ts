import { minuteMs } from '../../shared/duration-units.ts'
import type { Logger } from '../logger.ts'
import type { DetectedAlert } from './detect-alerts.ts'

/** Maximum number of alerts of each kind per period. */
export const maxAlerts = 50
export const alertPeriodMs = 10 * minuteMs

/**
 * Limits the alerts, because a flood of failures is one incident and should not cause thousands of messages. Returned
 * failures have their own limit, because a user who resolved a failure must be told that it is not fixed.
 */
export type AlertLimit = {
  /** Returns the alerts that may be sent now. */
  choose(alerts: readonly DetectedAlert[]): DetectedAlert[]
  /** Counts a scan's alerts after its progress is stored. Until then, the same alerts may be sent again. */
  count(found: readonly DetectedAlert[], sent: readonly DetectedAlert[]): void
}

export function createAlertLimit(
  logger: Pick<Logger, 'warn'>,
  nowMs: () => number = () => performance.now(),
): AlertLimit {
  let recent: { kind: DetectedAlert['kind']; sentMs: number }[] = []
  let omitted = 0
  let loggedMs = Number.NEGATIVE_INFINITY

  return {
    choose(alerts) {
      recent = recent.filter(({ sentMs }) => sentMs > nowMs() - alertPeriodMs)
      const remaining = { new: maxAlerts, returned: maxAlerts }
      for (const { kind } of recent) remaining[kind] -= 1
      return alerts.filter(({ kind }) => {
        remaining[kind] -= 1
        return remaining[kind] >= 0
      })
    },
    count(found, sent) {
      recent.push(...sent.map(({ kind }) => ({ kind, sentMs: nowMs() })))
      omitted += found.length - sent.length
      if (omitted === 0 || nowMs() - loggedMs < alertPeriodMs) return
      logger.warn({ omitted }, 'Too many failures at once; some do not trigger a webhook')
      loggedMs = nowMs()
      omitted = 0
    },
  }
}
