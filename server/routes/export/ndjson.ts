import type { LogEvent } from '../../../shared/event.ts'
import { isoTime } from '../../../shared/iso-time.ts'
import { jsonLine } from '../../../shared/json-line.ts'

/** Formats an event as a JSON line that `POST /ingest` accepts, including the line break. */
export function ndjsonLine({ id: _, timeMs, body, exception, ...event }: LogEvent): string {
  const fields = {
    time: isoTime(timeMs),
    ...event,
    message: body,
    ...(exception && { exception }),
  }
  const present = Object.entries(fields).filter(([, value]) => value !== null)
  return jsonLine(Object.fromEntries(present))
}
