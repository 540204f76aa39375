import { dayMs, hourMs } from './duration-units.ts'
import { formatDate } from './format.ts'
import { isSpan, type Range, type Window } from './range.ts'
import { instantOf } from './zoned-time.ts'

const maxLength = 100
/** The length of the range for a single time, such as `yesterday 14:00`. */
const afterOneTimeMs = 3_600_000

type Now = { nowMs: number; timeZone: string }

/**
 * Parses a range that a visitor typed, in the visitor's time zone: a duration that ends now (`90m`, `now-2h`), one or more
 * days (`today`, `2026-11-20 to 2026-11-22`), two times (`21:40-22:10`, `yesterday 14:00 to 15:30`), or one time, which means
 * the hour that starts then. A time may be Unix time in seconds or milliseconds. A start time without a day is today or
 * yesterday. Returns `null` for other text.
 */
export function parseTimeExpression(text: string, now: Now): Range | null {
  const typed = text.trim().toLowerCase().replaceAll(/\s+/g, ' ')
  if (typed.length > maxLength) return null
  const length =
    /^(?:last )?(?:now ?)?(?:- ?)?(\d+)? ?(m|min|minutes?|h|hours?|d|days?|w|weeks?)(?: to now)?$/.exec(typed)
  if (length !== null)
    return spanOf(Number(length[1] ?? (typed.startsWith('last ') ? 1 : 0)), length[2] ?? '')
  const parts = typed.split(between).map(part => readMoment(part, now))
  const [start, end = null] = parts
  if (start === undefined || parts.length > 2 || parts.includes(null)) return null
  return start === null ? null : windowOf(start, end, now)
}

/**
 * The hyphen in `21:40-22:10` separates two times; the last one in `2026-11-18t09:00-05:00` belongs to the offset.
 * `\u2013` is an en dash.
 */
const between = / to |\.\.| ?\u2013 ?| - |(?<=(?:^| )\d\d?:\d\d(?::\d\d)?(?: ?[ap]m)?)-(?=\d\d?:\d\d)/

function spanOf(count: number, unit: string): Range | null {
  const span = unit.startsWith('w') ? `${count * 7}d` : `${count}${unit[0]}`
  return isSpan(span) ? { span } : null
}

/**
 * A time, or a local day and time. A missing day depends on the rest of the range. A moment without a time is a whole day.
 */
type Moment = { ms: number } | { day: string | null; time: string | null }

function windowOf(start: Moment, end: Moment | null, now: Now): Range | null {
  const today = dayAt(now.nowMs, now)
  const startToday = startOf(start, today, now)
  if (startToday === null) return null
  const isYesterday = 'day' in start && start.day === null && startToday > now.nowMs
  const day = 'ms' in start ? dayAt(start.ms, now) : (start.day ?? (isYesterday ? shifted(today, -1) : today))
  const window = windowFrom(start, end, day, now)
  // `21:00-20:00` means the range that ended today, not one that ends tomorrow. But at 23:40, `23:30-00:10` starts today.
  const isUnfinished = window !== null && window.toMs > now.nowMs + hourMs && dayAt(window.toMs, now) > today
  const hasDay = 'ms' in start || start.day !== null
  return isUnfinished && !hasDay ? windowFrom(start, end, shifted(day, -1), now) : window
}

function windowFrom(start: Moment, end: Moment | null, day: string, now: Now): Window | null {
  const fromMs = startOf(start, day, now)
  const toMs = end === null ? defaultEnd(start, day, now) : endOf(end, day, fromMs ?? 0, now)
  return fromMs !== null && toMs !== null && fromMs < toMs ? { fromMs, toMs } : null
}

function startOf(moment: Moment, day: string, { timeZone }: Now): number | null {
  return 'ms' in moment ? moment.ms : instantOf(`${moment.day ?? day}T${moment.time ?? '00:00'}`, timeZone)
}

/** Returns the end of a range that has only a start: an hour after a time, the end of a past or future day, or now. */
function defaultEnd(start: Moment, day: string, now: Now): number | null {
  const fromMs = startOf(start, day, now)
  if (fromMs === null) return null
  if ('ms' in start || start.time !== null) return fromMs + afterOneTimeMs
  const endMs = instantOf(`${shifted(day, 1)}T00:00`, now.timeZone)
  return endMs !== null && fromMs < now.nowMs ? Math.min(endMs, now.nowMs) : endMs
}

function endOf(end: Moment, day: string, fromMs: number, now: Now): number | null {
  if ('ms' in end) return end.ms
  if (end.time === null) return instantOf(`${shifted(end.day ?? day, 1)}T00:00`, now.timeZone)
  const endMs = startOf(end, day, now)
  // `23:50-00:10` ends on the next day.
  return end.day === null && endMs !== null && endMs <= fromMs ? startOf(end, shifted(day, 1), now) : endMs
}

function readMoment(text: string, now: Now): Moment | null {
  if (text === 'now') return { ms: now.nowMs }
  // Ten digits are seconds, as in log lines: as milliseconds, they would be in 1970.
  const typed = text.replace(/^\d{10}$/, '$&000').toUpperCase()
  const exact = /^\d{9,}$|^\d{4}-\d\d-\d\dT/.test(typed) ? instantOf(typed, now.timeZone) : null
  if (exact !== null) return { ms: exact }
  const match = /^(today|yesterday|\d{4}-\d\d-\d\d)?(?:(?:^| )(\d\d?):(\d\d)(:\d\d)?(?: ?([ap])m)?)?$/.exec(
    text,
  )
  if (match === null || text === '') return null
  const [, day = null, hour, minute, seconds = '', half] = match
  const time = hour === undefined ? null : `${hour24(Number(hour), half)}:${minute}${seconds}`
  const today = dayAt(now.nowMs, now)
  return { day: day === 'today' ? today : day === 'yesterday' ? shifted(today, -1) : day, time }
}

/** An hour of the 12-hour clock that is not from 1 to 12 becomes 99, which is invalid. */
function hour24(hour: number, half: string | undefined): string {
  const value = half === undefined ? hour : hour < 1 || hour > 12 ? 99 : (hour % 12) + (half === 'p' ? 12 : 0)
  return String(value).padStart(2, '0')
}

function dayAt(ms: number, { timeZone }: Now): string {
  return formatDate(ms, { timeZone, clock: '24h' })
}

function shifted(day: string, days: number): string {
  const ms = Date.parse(`${day}T00:00Z`)
  return Number.isNaN(ms) ? day : new Date(ms + days * dayMs).toISOString().slice(0, 10)
}
