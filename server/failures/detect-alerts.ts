import type { Scan, ScanResult } from '../store/failure-store.ts'
import type { FailureAlert } from './alert.ts'
import { isReturn } from './resolve-policy.ts'

/** An alert before its failure is loaded. */
export type DetectedAlert = Omit<FailureAlert, 'failure'> & { failureId: string }

/** Finds the first occurrence of each new failure, and the first return of each resolved failure. */
export function detectAlerts({ occurrences }: Pick<Scan, 'occurrences'>): {
  alerts: DetectedAlert[]
  findings: Omit<ScanResult, 'position'>
} {
  const alerts = new Map<string, DetectedAlert>()
  const returned: ScanResult['returned'] = []
  for (const { failureId, service, release, acceptedMs, resolution } of occurrences) {
    if (alerts.has(failureId)) continue
    const alert = { failureId, service, release, atMs: acceptedMs }
    if (resolution === null) {
      alerts.set(failureId, { kind: 'new', ...alert })
    } else if (isReturn({ service, release }, resolution)) {
      alerts.set(failureId, { kind: 'returned', ...alert })
      returned.push({ failureId, release, atMs: acceptedMs, resolvedMs: resolution.atMs })
    }
  }
  const known = [...alerts.values()].filter(({ kind }) => kind === 'new').map(({ failureId }) => failureId)
  return { alerts: [...alerts.values()], findings: { known, returned } }
}
