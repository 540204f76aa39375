import type { LogEvent } from '../../../shared/event.ts'

/** An event as a line of JSON, under names that `POST /ingest` reads again. */
export function ndjsonLine({ id: _, timeMs, body, exception, ...event }: LogEvent): string {
  const whole = {
    time: new Date(timeMs).toISOString(),
    ...event,
    message: body,
    ...(exception && { exception }),
  }
  const said = Object.entries(whole).filter(([, value]) => value !== null)
  return `${JSON.stringify(Object.fromEntries(said))}\n`
}
