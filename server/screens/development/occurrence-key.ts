import type { EventRow } from '../../../shared/event.ts'
import type { OccurrenceKey } from '../../../shared/screens/development.ts'

/** Returns the key of the occurrence that a part of the page shows, or `null` if it is the newest one. */
export function keyUnlessNewest(
  { id, timeMs, release }: OccurrenceKey,
  newest: Pick<EventRow, 'id'> | undefined,
): OccurrenceKey | null {
  return id === newest?.id ? null : { id, timeMs, release }
}
