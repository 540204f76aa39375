import type { EventRow } from '../../shared/event.ts'
import type { Position } from '../store/event-store.ts'

/** Older events that do not fit within this size are not sent, and count as missed. */
export const maxMessageBytes = 1024 * 1024

/**
 * Formats the events found since the last message as server-sent events: a `gap` with the number of missed events, and the
 * newest events (at least one) that fit into `maxMessageBytes`. Returns an empty string if there are no events.
 */
export function formatMessage(update: {
  events: readonly EventRow[]
  missed: number
  position: Position
}): string {
  const rows: string[] = []
  let sizeBytes = 0
  for (const event of update.events.toReversed()) {
    const row = JSON.stringify(event)
    sizeBytes += Buffer.byteLength(row) + 1
    if (sizeBytes > maxMessageBytes && rows.length > 0) break
    rows.push(row)
  }
  const missed = update.missed + update.events.length - rows.length
  // The gap is sent first, because missed events are older than sent ones.
  const gap = missed > 0 ? `event: gap\ndata: ${JSON.stringify({ missed })}\n\n` : ''
  if (rows.length === 0) return gap
  return gap + eventsMessage(update.position, rows.reverse())
}

/** A message without events, which shows the client that the connection works and advances its cursor. */
export function formatHeartbeat(position: Position): string {
  return eventsMessage(position, [])
}

function eventsMessage(position: Position, rows: readonly string[]): string {
  return `id: ${position}\nevent: events\ndata: [${rows.join(',')}]\n\n`
}
