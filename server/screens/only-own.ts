import { ownService } from '../../shared/event.ts'
import type { LastSeen } from '../store/event-store.ts'

/** Whether all events come from Sixpane itself. */
export function isOnlyOwn(lastSeen: readonly LastSeen[]): boolean {
  return lastSeen.every(({ service }) => service === ownService)
}
