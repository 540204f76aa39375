import type { FailureRow } from '../../../shared/failure.ts'
import type { Window } from '../../../shared/range.ts'
import type { FailureDetail } from '../../../shared/screens/development.ts'
import type { Context } from '../../context.ts'
import type { ScreenRequest } from '../screen.ts'
import { failureHistory } from './failure-history.ts'
import { listedFingerprints, requestedMerge } from './failure-merge.ts'
import { requestedDigest } from './requested-failure.ts'
import { shownOccurrences } from './shown-occurrences.ts'

/**
 * Loads all details of a failure, or returns `null` if it has no stored events.
 * @param idsOfDigest the ids of the failures with the digest in the URL
 */
export async function failureDetail(
  id: string,
  idsOfDigest: readonly string[],
  window: Window,
  bucketMs: number,
  { store, failures, failureMonitor }: Pick<Context, 'store' | 'failures' | 'failureMonitor'>,
  request: ScreenRequest,
): Promise<FailureDetail | null> {
  const { params, signal } = request
  const loadFailure = (id: string) => store.failure(id, bucketMs, window, signal)
  const loadTotals = () =>
    Promise.all([
      loadFailure(id),
      store.failureImpact(id, signal),
      store.failureReleases(id, signal),
      listedFingerprints(id, request, store),
    ])
  let totals = await loadTotals()
  if (isReturnPossible(totals[0])) {
    // The monitor may not have scanned the newest occurrence, and the page must not show a failure as resolved if it has
    // recurred.
    await failureMonitor.scan()
    totals = await loadTotals()
  }
  const [row, impact, perRelease, grouping] = totals
  if (row === null) return null
  const [occurrences, history, othersWithDigest, merge] = await Promise.all([
    shownOccurrences(row, requestedDigest(params), { store, failures }, signal),
    failureHistory(row, request, store),
    failuresWithDigest(idsOfDigest, id, loadFailure),
    requestedMerge(row, request, store),
  ])
  return {
    ...row,
    ...grouping,
    ...history,
    ...occurrences,
    impact,
    merge,
    splitProblem: null,
    othersWithDigest,
    perRelease: perRelease.releases,
    omittedReleases: perRelease.omitted,
  }
}

/** Whether the failure has occurred since it was resolved. */
function isReturnPossible(failure: FailureRow | null): boolean {
  if (failure?.state !== 'resolved') return false
  return failure.resolved !== null && failure.lastSeenMs > failure.resolved.atMs
}

/** Loads the failures with a digest, except the one on the page. */
async function failuresWithDigest(
  ids: readonly string[],
  exceptId: string,
  loadFailure: (id: string) => Promise<FailureRow | null>,
): Promise<FailureDetail['othersWithDigest']> {
  const rows = await Promise.all(ids.filter(id => id !== exceptId).map(loadFailure))
  return rows.flatMap(row => (row === null ? [] : [{ id: row.id, type: row.type, message: row.message }]))
}
