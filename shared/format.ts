import { monthNames, numberLocale } from './language.ts'
import type { Clock } from './preferences.ts'

/**
 * Formats numbers and times. The results do not depend on the runtime's locale or time zone, because hydration requires the
 * same text on the server and in the browser.
 */

const counts = new Intl.NumberFormat(numberLocale)
// Created once, because creating a formatter takes longer than formatting dozens of numbers.
const decimals = new Intl.NumberFormat(numberLocale, { maximumFractionDigits: 2 })
const countUnits = ['', 'k', 'M', 'G']

/** `1,234,567` */
export function formatCount(count: number): string {
  const rounded = Math.round(count)
  // `Intl` is slower, and formats numbers below 1,000 identically.
  return Math.abs(rounded) < 1000 ? String(rounded) : counts.format(rounded)
}

/** `1 event`, `1,234 events`, `0.5 days`. */
export function pluralise(count: number, word: string): string {
  const shown = Number.isInteger(count) ? formatCount(count) : decimals.format(count)
  return `${shown} ${word}${count === 1 ? '' : 's'}`
}

/** `940`, `1.20k`, `3.41M`, for narrow columns. */
export function formatShortCount(count: number): string {
  return count < 1000 ? String(count) : formatMeasured(count)
}

/** `0`, `<0.01`, `0.02`, `12.0`, `1.20k`: a measured number, with three digits. */
export function formatMeasured(value: number): string {
  if (value < 0.01) return value === 0 ? '0' : '<0.01'
  return scaled(value, countUnits, threeDigits)
}

/** `0.5`, `0.002`, `2k`: all digits of a round number, such as a tick on an axis. */
export function formatRoundCount(count: number): string {
  return scaled(count, countUnits, String)
}

/** `0.04%`, `1.90%`, `12.3%`, `100%`; an en dash for `null`. Has three digits, like a duration. */
export function formatRatio(ratio: number | null): string {
  if (ratio === null) return '–'
  if (ratio === 0) return '0%'
  return ratio < 0.00005 ? '<0.01%' : `${threeDigits(ratio * 100)}%`
}

/** `5%`, `0.02%`: all digits of a round ratio, such as a limit or a tick on an axis. */
export function formatRoundRatio(ratio: number): string {
  return `${Number((ratio * 100).toPrecision(12))}%`
}

/** `99.98%`, for a share that is usually close to 100%. Rounded down, so that `100%` is exact. */
export function formatShare(part: number, whole: number): string {
  return part >= whole ? '100%' : `${(Math.floor((part * 10_000) / whole) / 100).toFixed(2)}%`
}

/**
 * `0.42 ms`, `8.70 ms`, `123 ms`, `1.24 s`, `2 min 5 s`; an en dash for `null`. Has three digits below a minute.
 */
export function formatDuration(ms: number | null): string {
  if (ms === null) return '–'
  if (ms === 0) return '0 ms'
  if (ms > 0 && ms < 0.005) return '<0.01 ms'
  if (ms < 999.5) return `${threeDigits(ms)} ms`
  if (ms < 59_950) return `${threeDigits(ms / 1000)} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 3600) return joined(Math.floor(seconds / 60), 'min', seconds % 60, 's')
  if (seconds < 86_400)
    return joined(Math.floor(seconds / 3600), 'h', Math.floor((seconds % 3600) / 60), 'min')
  return joined(Math.floor(seconds / 86_400), 'd', Math.floor((seconds % 86_400) / 3600), 'h')
}

/**
 * `0.40/s`, `120/s`; `3.00/min` below 0.1/s; an en dash for `null`.
 * @param reference determines the unit, so that rates that are compared use the same unit
 */
export function formatRate(perSecond: number | null, reference = perSecond): string {
  if (perSecond === null || reference === null) return '–'
  return reference > 0 && reference < 0.1
    ? `${formatMeasured(perSecond * 60)}/min`
    : `${formatMeasured(perSecond)}/s`
}

/** `0.02`, `72.0`, `1.20k` per minute, for a table column; an en dash for `null`. */
export function formatPerMinute(perSecond: number | null): string {
  return perSecond === null ? '–' : formatMeasured(perSecond * 60)
}

/** `512 B`, `1.5 KB`, `30 MB`; the units are powers of 1000. */
export function formatBytes(bytes: number): string {
  return scaled(bytes, [' B', ' KB', ' MB', ' GB', ' TB'], trimmed)
}

/** Writes a number in the largest unit in which it is at least 1. Each unit is a thousand times the one before it. */
function scaled(
  number: number,
  [unit = '', ...larger]: readonly string[],
  write: (value: number) => string,
): string {
  const text = write(number)
  // Tests the text, because it may be rounded to 1000.
  return Number(text) < 1000 || larger.length === 0 ? text + unit : scaled(number / 1000, larger, write)
}

/** `just now`, `5 s ago`, `3 min ago`, `2 h ago`, `4 d ago`, and `in 5 s` for a time in the future. */
export function formatAgo(ms: number, nowMs: number): string {
  const seconds = Math.round((nowMs - ms) / 1000)
  const size = Math.abs(seconds)
  if (size < 2) return 'just now'
  const text =
    size < 60
      ? `${size} s`
      : size < 3600
        ? `${Math.floor(size / 60)} min`
        : size < 86_400
          ? `${Math.floor(size / 3600)} h`
          : `${Math.floor(size / 86_400)} d`
  return seconds > 0 ? `${text} ago` : `in ${text}`
}

/** `2026-11-21T15:03`, or with seconds, for fields of the type `datetime-local`. */
export function formatLocalTime(ms: number, timeZone: string, withSeconds: boolean): string {
  return wallClock(ms, { timeZone })
    .toISOString()
    .slice(0, withSeconds ? 19 : 16)
}

/** `Vienna` for `Europe/Vienna`. */
export function formatZone(timeZone: string): string {
  return timeZone.slice(timeZone.lastIndexOf('/') + 1).replaceAll('_', ' ')
}

/** `2026-11-21 14:03:22.123 UTC`, for tooltips and details. */
export function formatInstant(ms: number, clock: Clock): string {
  const wall = wallClock(ms, clock)
  return `${dateOf(wall)} ${timeOf(wall, clock, 'millisecond')} ${zoneOffset(wall, ms)}`
}

/** `2026-11-21 14:03`, with the given precision. */
export function formatDateTime(ms: number, clock: Clock, precision: Precision): string {
  const wall = wallClock(ms, clock)
  return `${dateOf(wall)} ${timeOf(wall, clock, precision)}`
}

/** `2026-11-21` */
export function formatDate(ms: number, clock: Clock): string {
  return dateOf(wallClock(ms, clock))
}

/** `Nov 21`, for axes and labels. */
export function formatDay(ms: number, clock: Clock): string {
  return dayOf(wallClock(ms, clock))
}

/** `Nov 21`, or `Nov 21, 2025` if the year differs from that of `nowMs`. */
export function formatRecentDay(ms: number, nowMs: number, clock: Clock): string {
  const wall = wallClock(ms, clock)
  const year = wall.getUTCFullYear()
  return year === wallClock(nowMs, clock).getUTCFullYear() ? dayOf(wall) : `${dayOf(wall)}, ${year}`
}

/** `Nov 21 14:03`, with the given precision. */
export function formatDayTime(ms: number, clock: Clock, precision: Precision): string {
  const wall = wallClock(ms, clock)
  return `${dayOf(wall)} ${timeOf(wall, clock, precision)}`
}

/** `14:03:22.123`, or `02:03:22.123 pm`, with the given precision. */
export function formatTime(ms: number, clock: Clock, precision: Precision = 'millisecond'): string {
  return timeOf(wallClock(ms, clock), clock, precision)
}

type Precision = 'minute' | 'second' | 'millisecond'

function dateOf(wall: Date): string {
  return wall.toISOString().slice(0, -14)
}

function dayOf(wall: Date): string {
  return `${monthNames[wall.getUTCMonth()]} ${wall.getUTCDate()}`
}

function timeOf(wall: Date, clock: Clock, precision: Precision): string {
  const rest = wall.toISOString().slice(-11, { minute: -8, second: -5, millisecond: -1 }[precision])
  const hour = wall.getUTCHours()
  if (clock.clock === '24h') return `${twoDigits(hour)}${rest}`
  return `${twoDigits(hour % 12 || 12)}${rest} ${hour < 12 ? 'am' : 'pm'}`
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Converts a time to local time in the time zone, encoded as if it were UTC. */
export function localTimeMs(ms: number, clock: Pick<Clock, 'timeZone'>): number {
  return wallClock(ms, clock).getTime()
}

/**
 * Returns a date whose UTC time equals the local time in the zone. Uses only numbers from `Intl`, because words for zones
 * and am/pm differ between runtimes, which would break hydration.
 */
function wallClock(ms: number, { timeZone }: Pick<Clock, 'timeZone'>): Date {
  if (timeZone === 'UTC') return new Date(ms)
  let format = formats.get(timeZone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      calendar: 'gregory',
      numberingSystem: 'latn',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    if (formats.size > 50) formats.clear()
    formats.set(timeZone, format)
  }
  const part = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]))
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part
  return new Date(
    Date.UTC(year, month - 1, day, hour, minute, second, ((Math.floor(ms) % 1000) + 1000) % 1000),
  )
}

/** Returns the UTC offset of a zone at a time. */
function offsetMinutes(wall: Date, ms: number): number {
  return Math.round((wall.getTime() - Math.floor(ms)) / 60_000)
}

/** `UTC`, `UTC+9`, `UTC-3:30` */
function zoneOffset(wall: Date, ms: number): string {
  const minutes = offsetMinutes(wall, ms)
  if (minutes === 0) return 'UTC'
  const size = Math.abs(minutes)
  const rest = size % 60 === 0 ? '' : `:${twoDigits(size % 60)}`
  return `UTC${minutes < 0 ? '-' : '+'}${Math.floor(size / 60)}${rest}`
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}

function trimmed(value: number): string {
  return String(Number(value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)))
}

/** `0.42`, `8.70`, `87.4`, `123` */
function threeDigits(value: number): string {
  return value.toFixed(value < 9.995 ? 2 : value < 99.95 ? 1 : 0)
}

function joined(big: number, bigUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${big} ${bigUnit}` : `${big} ${bigUnit} ${small} ${smallUnit}`
}
