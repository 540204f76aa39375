import type { FailureStates } from '../store/failure-store.ts'
import { detectAlerts } from './detect-alerts.ts'
import { withoutJoinedReports } from './redacted-report.ts'

/**
 * Reopens a resolved failure that has got occurrences of another failure, or was split off from it, if it has returned. When
 * the monitor scanned these occurrences, it compared them with the state of the other failure.
 */
export async function reopenIfReturned(
  id: string,
  { occurrencesSinceResolved, reopen }: Pick<FailureStates, 'occurrencesSinceResolved' | 'reopen'>,
): Promise<void> {
  const occurrences = withoutJoinedReports(await occurrencesSinceResolved(id))
  const { findings } = detectAlerts({ occurrences })
  await reopen(findings.returned)
}
