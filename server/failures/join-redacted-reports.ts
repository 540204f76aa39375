import type { FailureDigests, ScannedDigest } from '../store/failure-digests.ts'
import type { ManualGrouping } from '../store/failure-grouping.ts'
import type { FailureStates, Scan } from '../store/failure-store.ts'
import { createTimeSlice } from '../time-slice.ts'
import { redactedFingerprint } from './redacted-report.ts'

export type RedactedReportStore = {
  failureDigests: FailureDigests
  failureStates: Pick<FailureStates, 'merge'>
  manualGrouping: Pick<ManualGrouping, 'isSplit'>
}

/**
 * Joins redacted browser reports (`redacted-report.ts`) with the server failures that have the same digests, whichever
 * arrived first. Call this before the scan is committed: if the process is killed before the commit, the next process scans
 * the same events and calls this again.
 * @returns whether failures changed, which makes the scan out of date
 */
export async function joinRedactedReports(
  { position }: Pick<Scan, 'position'>,
  store: RedactedReportStore,
): Promise<boolean> {
  const { failureDigests, failureStates, manualGrouping } = store
  const scanned = await withRedacted(await failureDigests.scanned(position))
  if (scanned.length === 0) return false
  const failureIds = await failureDigests.failureIds([...new Set(scanned.map(({ redacted }) => redacted))])
  const waiting = new Map<string, string>()
  for (const { digest, fingerprint, redacted, isFromBrowser } of scanned) {
    const failureId = failureIds.get(redacted)
    const isJoined = failureId !== undefined && failureId !== redacted
    const isReport = isFromBrowser && fingerprint === redacted
    // A server failure has redacted reports only if a failure with their fingerprint exists.
    const hasReports = isReport || (!isFromBrowser && failureId !== undefined)
    if (hasReports && !isJoined) waiting.set(digest, redacted)
  }
  if (waiting.size === 0) return false
  const serverFailures = await failureDigests.serverFailures([...waiting.keys()])
  let joined = 0
  for (const [digest, serverFailure] of serverFailures) {
    const redacted = waiting.get(digest)
    // A user may have merged the server failure into the failure of its reports.
    if (redacted === undefined || redacted === serverFailure) continue
    // A user may have split off the reports.
    if (await manualGrouping.isSplit(redacted, serverFailure)) continue
    joined += 1
    // A known failure was already reported as new, and may have a state and notes.
    if (failureIds.has(redacted)) await failureStates.merge(redacted, serverFailure)
    else await failureDigests.add(redacted, serverFailure)
  }
  return joined > 0
}

type DigestWithRedacted = ScannedDigest & {
  /** The fingerprint of redacted browser reports with this digest. */
  redacted: string
}

async function withRedacted(scanned: readonly ScannedDigest[]): Promise<DigestWithRedacted[]> {
  const slice = createTimeSlice()
  const all: DigestWithRedacted[] = []
  for (const each of scanned) {
    all.push({ ...each, redacted: redactedFingerprint(each.digest) })
    if (slice.isUsedUp()) await slice.yieldToOthers()
  }
  return all
}
