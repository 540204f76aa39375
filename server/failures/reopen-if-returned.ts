import type { FailureStates } from '../store/failure-store.ts'
import { detectAlerts } from './detect-alerts.ts'

/**
 * Reopens a resolved failure that has got occurrences of another failure, or was split off from it, if it has returned. When
 * the monitor scanned these occurrences, it compared them with the state of the other failure.
 */
export async function reopenIfReturned(
  id: string,
  { occurrencesSinceResolved, reopen }: Pick<FailureStates, 'occurrencesSinceResolved' | 'reopen'>,
): Promise<void> {
  const { findings } = detectAlerts({ occurrences: await occurrencesSinceResolved(id) })
  await reopen(findings.returned)
}
