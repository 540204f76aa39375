import type { FailureDigests, ScannedDigest } from '../store/failure-digests.ts'
import type { Scan } from '../store/failure-store.ts'
import { createTimeSlice } from '../time-slice.ts'
import { isWaiting, redactedFingerprint, waitingFingerprint } from './redacted-report.ts'

/**
 * Joins redacted browser reports (`redacted-report.ts`) with the server failures that have the same digests, whichever
 * arrived first. Until the server failure is known, all reports with the same message are one failure. Call this before the
 * scan is committed: if the process is killed before the commit, the next process scans the same events and calls this again.
 * @returns whether failures changed, which makes the scan out of date
 */
export async function joinRedactedReports(
  { position }: Pick<Scan, 'position'>,
  failureDigests: Pick<FailureDigests, 'scanned' | 'serverFingerprints' | 'followed' | 'follow'>,
): Promise<boolean> {
  const scanned = await withRedacted(await failureDigests.scanned(position))
  if (scanned.length === 0) return false
  const followed = await failureDigests.followed([...new Set(scanned.map(({ redacted }) => redacted))])
  const unknown = scanned.filter(
    ({ fingerprint, redacted, isFromBrowser }) =>
      isFromBrowser && fingerprint === redacted && !followed.has(redacted),
  )
  const waiting = scanned.filter(
    ({ redacted, isFromBrowser }) => !isFromBrowser && isWaiting(followed.get(redacted) ?? null),
  )
  const joining = [...unknown, ...waiting]
  if (joining.length === 0) return false
  const serverFingerprints = await failureDigests.serverFingerprints([
    ...new Set(joining.map(({ digest }) => digest)),
  ])
  const joined = [
    ...unknown.map(({ redacted, message }) => [redacted, waitingFingerprint(message ?? '')] as const),
    ...joining.flatMap(({ digest, redacted }) => {
      const fingerprint = serverFingerprints.get(digest)
      return fingerprint === undefined ? [] : [[redacted, fingerprint] as const]
    }),
  ]
  await failureDigests.follow(new Map(joined))
  return joined.length > 0
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
