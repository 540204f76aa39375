import type { Scan, ScanResult } from '../store/failure-store.ts'
import { isReturn } from './resolve-policy.ts'

/** A failure to report, without its counts yet. */
export type Alert = {
  kind: 'new' | 'returned'
  fingerprint: string
  release: string | null
  atMs: number
}

/** Finds the first occurrence of each new failure, and the first that shows the return of a resolved one. */
export function detectAlerts({ occurrences, lastId }: Scan): { alerts: Alert[]; findings: ScanResult } {
  const alerts = new Map<string, Alert>()
  const returned: ScanResult['returned'] = []
  for (const { fingerprint, service, release, acceptedMs, resolution } of occurrences) {
    if (alerts.has(fingerprint)) continue
    if (resolution === null) {
      alerts.set(fingerprint, { kind: 'new', fingerprint, release, atMs: acceptedMs })
    } else if (isReturn({ service, release }, resolution)) {
      alerts.set(fingerprint, { kind: 'returned', fingerprint, release, atMs: acceptedMs })
      returned.push({ fingerprint, release, atMs: acceptedMs, resolvedMs: resolution.atMs })
    }
  }
  const known = [...alerts.values()]
    .filter(({ kind }) => kind === 'new')
    .map(({ fingerprint }) => fingerprint)
  return { alerts: [...alerts.values()], findings: { known, returned, lastId } }
}
