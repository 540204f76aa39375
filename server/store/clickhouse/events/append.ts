import type { LogEvent, NewEvent } from '../../../../shared/event.ts'
import { checkNumbers } from '../../common/check-numbers.ts'
import { wellFormed } from '../../common/well-formed.ts'
import type { Connection } from '../engine/connection.ts'
import type { Ids } from '../engine/ids.ts'
import { storedColumns, storedRow } from '../sql/event-rows.ts'

/**
 * Stores a batch. The idempotency keys are part of its last event, because only the rows of one table are stored atomically.
 */
export async function append(
  { insert }: Pick<Connection, 'insert'>,
  ids: Ids,
  events: readonly NewEvent[],
  requestKeys: readonly string[],
): Promise<LogEvent[]> {
  events.forEach(checkNumbers)
  const eventIds = ids.take(events.length)
  const stored = events.map((event, index) => ({ ...wellFormed(event), id: eventIds[index] ?? 0 }))
  if (stored.length === 0) return []
  const rows = stored.map((event, index) => storedRow(event, index === stored.length - 1 ? requestKeys : []))
  await insert('event', storedColumns, rows, `events ${eventIds[0]}`)
  return stored
}
