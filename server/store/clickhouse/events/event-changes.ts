import { randomUUID } from 'node:crypto'
import type { AccessState } from '../../state/state.ts'

/**
 * Tells all replicas that stored events have been changed or deleted, so that they read them again. Call this afterwards.
 */
export async function recordEventChange(access: AccessState): Promise<void> {
  await access(({ eventChanges }) => void eventChanges.set('newest', randomUUID()))
}
