import type { LogEvent } from '../../../shared/event.ts'
import { microsOf } from './time.ts'

/** The sort key of an event, used for pagination. */
export type Cursor = { timeUs: number; id: number }

/** Encodes a cursor as opaque text. */
export function writeCursor({ timeUs, id }: Cursor): string {
  return `${timeUs.toString(36)}.${id.toString(36)}`
}

/** Returns the cursor of an event. Pass it as `before` to get older events, or as `after` to get newer ones. */
export function cursorOf({ id, timeMs }: Pick<LogEvent, 'id' | 'timeMs'>): string {
  return writeCursor({ timeUs: microsOf(timeMs), id })
}

/** Parses a cursor. Returns `null` for invalid text, so a damaged link shows the first page instead of an error. */
export function readCursor(text: string | undefined): Cursor | null {
  const match = /^(-?[0-9a-z]{1,11})\.(-?[0-9a-z]{1,11})$/.exec(text ?? '')
  if (match === null) return null
  const [timeUs = Number.NaN, id = Number.NaN] = match.slice(1).map(part => Number.parseInt(part, 36))
  return Number.isSafeInteger(timeUs) && Number.isSafeInteger(id) ? { timeUs, id } : null
}
