import { dayMs } from './duration-units.ts'
import { localTimeMs } from './format.ts'

const localTime = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?)?$/

/**
 * Parses a time: epoch milliseconds, ISO 8601 with an offset, or local time in the time zone, such as `2026-11-21T14:00`.
 * Returns epoch milliseconds, or `null` for other text.
 */
export function instantOf(text: string, timeZone: string): number | null {
  if (/^\d{9,15}$/.test(text)) return inRange(Number(text))
  const local = localTime.exec(text)
  // `Date.parse` would read other text without an offset in the time zone of the server.
  if (local === null) return /\d(?:Z|[+-]\d\d:?\d\d)$/i.test(text) ? inRange(Date.parse(text)) : null
  const [, year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = local.map(part =>
    Number(part ?? 0),
  )
  return localInstant({ year, month, day, hour, minute, second }, timeZone)
}

/** Whether a text has the form of a local time, which `instantOf` interprets in a time zone. */
export function isLocalTime(text: string): boolean {
  return localTime.test(text)
}

type LocalTime = Record<'year' | 'month' | 'day', number> &
  Partial<Record<'hour' | 'minute' | 'second', number>>

/**
 * Returns the epoch milliseconds of a local time, or `null` if there is no such date or time. `24:00` is the start of the
 * next day. A time that a clock change skips is moved forward. For a repeated time, returns the first occurrence.
 */
function localInstant(
  { year, month, day, hour = 0, minute = 0, second = 0 }: LocalTime,
  timeZone: string,
): number | null {
  if (hour > 24 || minute > 59 || second > 59 || (hour === 24 && minute + second > 0)) return null
  const date = new Date(Date.UTC(year, month - 1, day))
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null
  const wallMs = date.getTime() + ((hour * 60 + minute) * 60 + second) * 1000
  const offsetMs = (ms: number) => localTimeMs(ms, { timeZone }) - ms
  // The offsets one day before and one day after cover both sides of a clock change.
  const before = wallMs - offsetMs(wallMs - dayMs)
  const after = wallMs - offsetMs(wallMs + dayMs)
  const exact = [before, after].filter(ms => ms + offsetMs(ms) === wallMs)
  return inRange(exact.length > 0 ? Math.min(...exact) : Math.max(before, after))
}

const firstMs = Date.parse('0001-01-01T00:00:00Z')
const endMs = Date.parse('+010000-01-01T00:00:00Z')

/**
 * Returns `null` for a time outside the years 1 to 9999. `Date` supports more years, but near its limits, links to earlier
 * and later windows would contain times that it does not support.
 */
function inRange(ms: number): number | null {
  return ms >= firstMs && ms < endMs ? ms : null
}
