import type { FailureStates } from '../store/failure-store.ts'
import { detectAlerts } from './detect-alerts.ts'

/**
 * Reopens a resolved failure that was split off, if it has returned. While it was merged, the monitor compared its occurrences
 * with the state of the other failure.
 */
export async function reopenIfReturned(
  id: string,
  { occurrencesSinceResolved, reopen }: Pick<FailureStates, 'occurrencesSinceResolved' | 'reopen'>,
): Promise<void> {
  const { findings } = detectAlerts({ occurrences: await occurrencesSinceResolved(id) })
  await reopen(findings.returned)
}
