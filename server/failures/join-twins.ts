import type { FailureDigests, ScannedDigest } from '../store/failure-digests.ts'
import type { ManualGrouping } from '../store/failure-grouping.ts'
import type { FailureStates, Scan } from '../store/failure-store.ts'
import { createTimeSlice } from '../time-slice.ts'
import { twinFingerprint } from './redacted-twin.ts'

export type TwinStore = {
  failureDigests: FailureDigests
  failureStates: Pick<FailureStates, 'merge'>
  manualGrouping: Pick<ManualGrouping, 'isSplit'>
}

/**
 * Joins redacted twins (`redacted-twin.ts`) with the server failures that have the same digests, whichever arrived first.
 * Call this before the scan is committed: if the process is killed in between, the next process scans the same events and
 * calls this again.
 * @returns whether failures changed, which makes the scan out of date
 */
export async function joinTwins({ position }: Pick<Scan, 'position'>, store: TwinStore): Promise<boolean> {
  const { failureDigests, failureStates, manualGrouping } = store
  const scanned = await withTwins(await failureDigests.scanned(position))
  if (scanned.length === 0) return false
  const failureIds = await failureDigests.failureIds([...new Set(scanned.map(({ twin }) => twin))])
  const waiting = new Map<string, string>()
  for (const { digest, fingerprint, twin, isFromBrowser } of scanned) {
    const failureId = failureIds.get(twin)
    const isJoined = failureId !== undefined && failureId !== twin
    const isTwin = isFromBrowser && fingerprint === twin
    // A server failure has a twin only if a failure with the twin's fingerprint exists.
    const hasTwin = isTwin || (!isFromBrowser && failureId !== undefined)
    if (hasTwin && !isJoined) waiting.set(digest, twin)
  }
  if (waiting.size === 0) return false
  const serverFailures = await failureDigests.serverFailures([...waiting.keys()])
  let joined = 0
  for (const [digest, serverFailure] of serverFailures) {
    const twin = waiting.get(digest)
    // A user may have merged the server failure into its twin.
    if (twin === undefined || twin === serverFailure) continue
    // A user may have split them.
    if (await manualGrouping.isSplit(twin, serverFailure)) continue
    joined += 1
    // A known twin was already reported as new, and may have a state and notes.
    if (failureIds.has(twin)) await failureStates.merge(twin, serverFailure)
    else await failureDigests.add(twin, serverFailure)
  }
  return joined > 0
}

/** Adds the fingerprint of each digest's twin. */
async function withTwins(scanned: readonly ScannedDigest[]): Promise<(ScannedDigest & { twin: string })[]> {
  const slice = createTimeSlice()
  const all: (ScannedDigest & { twin: string })[] = []
  for (const each of scanned) {
    all.push({ ...each, twin: twinFingerprint(each.digest) })
    if (slice.isUsedUp()) await slice.yieldToOthers()
  }
  return all
}
