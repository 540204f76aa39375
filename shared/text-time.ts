import { dayMs, minuteMs } from './duration-units.ts'
import { isPlausibleTime } from './plausible-time.ts'

/** The time at the start of a plain-text line. */
export type TextTime = {
  /** Milliseconds since 1970-01-01 UTC, with microsecond precision. */
  timeMs: number
  /** Whether the text contains a time zone or is a Unix timestamp. If not, this process's time zone was used. */
  hasZone: boolean
}

/**
 * The field in which the `sixpane` command sends the time at the start of a plain-text line, or the time that a container
 * runtime recorded for the line. `time` contains the arrival time, which the server uses if it cannot use this field.
 */
export const textTimeField = 'sixpane.textTime'

const date = String.raw`(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)`
const clock = String.raw`(?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d)`
const fraction = String.raw`(?:[.,](?<fraction>\d{1,9}))?`
const zone = String.raw`(?: ?(?<zone>[Zz]|UTC|GMT|[+-]\d\d:?\d\d)(?!\w))?`
const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const monthName = `(?<monthName>${monthNames.join('|')})`
const level = '(?:TRACE|DEBUG|INFO|WARN|ERROR|FATAL)'
/**
 * The text before a time: a file name, as in the output of tail or grep; `time="` (logrus); `E, [` (Ruby); `[`; `[I `
 * (Jupyter); `<34>1 ` (syslog, RFC 5424).
 */
const isoPrefix = String.raw`(?:(?=\S{0,100}\.log)\S{1,200} )?(?:(?:time|timestamp|ts)="?|[DIWEFA], \[|\[(?:[DIWEC] )?|<\d{1,3}>1 )?`

/** All formats. Each part has a fixed or limited length, so that matching takes bounded time. */
const formats: readonly RegExp[] = [
  // ISO 8601, RFC 3339: 2026-11-22T07:10:11.123Z, 2026-11-22 07:10:11,123
  `${isoPrefix}${date}[Tt ]${clock}${fraction}${zone}`,
  // Go's log, nginx's error log: 2026/11/22 07:10:11
  String.raw`(?<year>\d{4})\/(?<month>\d\d)\/(?<day>\d\d) ${clock}${fraction}`,
  // Access logs, with or without an address, identity and user: [22/Nov/2026:07:10:11 +0000]; Django: [22/Nov/2026 07:10:11]
  String.raw`(?:\S{1,255} \S{1,64} \S{1,64} )?\[(?<day>\d\d)\/${monthName}\/(?<year>\d{4})[: ]${clock}(?: (?<zone>[+-]\d{4}))?\]`,
  // PHP: [22-Nov-2026 07:10:11 UTC]
  String.raw`\[(?<day>\d\d)-${monthName}-(?<year>\d{4}) ${clock}${fraction}${zone}\]`,
  // asctime, Apache's error log: [Sun Nov 22 07:10:11.123456 2026]
  String.raw`\[?(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ${monthName} (?<day>[ \d]\d) ${clock}${fraction} (?:(?<zone>UTC|GMT) )?(?<year>\d{4})`,
  // syslog: Nov 22 07:10:11
  String.raw`(?:<\d{1,3}>)?${monthName} (?<day>[ \d]\d) (?:(?<year>\d{4}) )?${clock}${fraction}`,
  // logcat: 11-22 07:10:11.123
  String.raw`(?<month>\d\d)-(?<day>\d\d) ${clock}\.(?<fraction>\d{3,6})`,
  // glog and klog: I1122 07:10:11.123456, I20261122 07:10:11.123456
  String.raw`[IWEF](?<year>\d{4})?(?<month>\d\d)(?<day>\d\d) ${clock}\.(?<fraction>\d{1,6})`,
  // Tornado: [I 261122 07:10:11 web:42]
  String.raw`\[[DIWEC] (?<shortYear>\d\d)(?<month>\d\d)(?<day>\d\d) ${clock}`,
  // HDFS: 261122 071011 148 INFO
  String.raw`(?<shortYear>\d\d)(?<month>\d\d)(?<day>\d\d) (?<hour>\d\d)(?<minute>\d\d)(?<second>\d\d) \d{1,9} ${level}(?!\w)`,
  // Spark: 26/11/22 07:10:11 INFO
  String.raw`(?<shortYear>\d\d)\/(?<month>\d\d)\/(?<day>\d\d) ${clock} ${level}(?!\w)`,
  // Android health apps, with milliseconds: 20261122-7:10:11:123|
  String.raw`(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)-(?<hour>\d{1,2}):(?<minute>\d{1,2}):(?<second>\d{1,2}):(?<millis>\d{1,3})\|`,
  // Proxifier: [11.22 07:10:11]
  String.raw`\[(?<month>\d\d)\.(?<day>\d\d) ${clock}\]`,
  // Redis and Valkey: 1:M 22 Nov 2026 07:10:11.123
  String.raw`\d{1,7}:[CMSX] (?<day>\d\d) ${monthName} (?<year>\d{4}) ${clock}\.(?<fraction>\d{3})`,
  // Squid and, with a leading label, supercomputer logs (Unix time in seconds or milliseconds): - 1795331411
  String.raw`(?:(?:-|[A-Z][A-Z_]{2,20}) )?(?<epoch>\d{10}(?:\d{3})?(?:\.\d{1,9})?)(?=[\s|,])`,
].map(source => new RegExp(`^ ?${source}(?!\\d)`))

/** Longer than any format. */
const inspectedLength = 500

/** Whether a line starts with a time in one of the formats. */
export function startsWithTime(line: string): boolean {
  const start = line.slice(0, inspectedLength)
  return formats.some(format => format.test(start))
}

/**
 * Parses the time at the start of a line. The line must not contain ANSI codes. Returns `null` if there is no time or the
 * time is implausible. A time without a year is assigned the latest year in which it is less than a day in the future.
 * A time without a zone that occurs twice, because clocks go back, is the latest instant that is not in the future.
 */
export function textTimeOf(line: string, nowMs: number): TextTime | null {
  const start = line.slice(0, inspectedLength)
  for (const format of formats) {
    const parts = format.exec(start)?.groups
    if (parts === undefined) continue
    const ms = parts.epoch === undefined ? readParts(parts, nowMs) : readEpoch(parts.epoch)
    const timeMs = Math.round(ms * 1000) / 1000
    const hasZone = parts.epoch !== undefined || parts.zone !== undefined
    return isPlausibleTime(timeMs, nowMs) ? { timeMs, hasZone } : null
  }
  return null
}

type Parts = Readonly<Record<string, string | undefined>>

function readEpoch(digits: string): number {
  return Number(digits) * (/^\d{13}/.test(digits) ? 1 : 1000)
}

/** Returns NaN for a date that does not exist. */
function readParts(parts: Parts, nowMs: number): number {
  if (parts.year !== undefined) return inYear(Number(parts.year), parts, nowMs)
  if (parts.shortYear !== undefined) return inYear(2000 + Number(parts.shortYear), parts, nowMs)
  return inLatestYear(parts, nowMs)
}

/** The latest 29 February can be up to eight years ago. */
const maxYearsAgo = 8

/**
 * If a time is up to a day in the future, assigning it to the previous year would make it nearly a year old. Such a time is
 * rejected as implausible instead, because the sender's clock or zone may differ.
 */
function inLatestYear(parts: Parts, nowMs: number): number {
  const latestYear = new Date(nowMs + dayMs).getFullYear()
  for (let year = latestYear; year >= latestYear - maxYearsAgo; year -= 1) {
    const ms = inYear(year, parts, nowMs)
    if (ms < nowMs + dayMs) return ms
  }
  return Number.NaN
}

function inYear(year: number, parts: Parts, nowMs: number): number {
  const month = parts.monthName === undefined ? Number(parts.month) : monthNames.indexOf(parts.monthName) + 1
  const [day, hour, minute, second] = [parts.day, parts.hour, parts.minute, parts.second].map(Number)
  if (day === undefined || hour === undefined || minute === undefined || second === undefined)
    return Number.NaN
  // Second 60 is a leap second.
  const isValid =
    month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month) && hour < 24 && minute < 60
  if (!isValid || second > 60) return Number.NaN
  const fractionMs =
    parts.millis === undefined ? Number(`0.${parts.fraction ?? 0}`) * 1000 : Number(parts.millis)
  if (parts.zone === undefined) {
    const localMs = new Date(year, month - 1, day, hour, minute, second).getTime()
    return latestOccurrence(localMs + fractionMs, nowMs)
  }
  return Date.UTC(year, month - 1, day, hour, minute, second) + fractionMs - offsetMs(parts.zone)
}

/**
 * When clocks go back, a local time occurs twice, and `Date` returns the first occurrence. Returns the second one unless it is
 * in the future.
 */
function latestOccurrence(ms: number, nowMs: number): number {
  const offsetOf = (instantMs: number) => new Date(instantMs).getTimezoneOffset()
  const nextOffset = offsetOf(ms + dayMs)
  const laterMs = ms + (nextOffset - offsetOf(ms)) * minuteMs
  const isSecond = laterMs > ms && offsetOf(laterMs) === nextOffset
  return isSecond && isPlausibleTime(laterMs, nowMs) ? laterMs : ms
}

function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate()
}

/** Returns the offset of a zone from UTC, or NaN if no zone has this offset. */
function offsetMs(text: string): number {
  const [, sign, hours = '', minutes = ''] = /^([+-])(\d\d):?(\d\d)$/.exec(text) ?? []
  if (sign === undefined) return 0
  if (Number(hours) > 14 || Number(minutes) > 59) return Number.NaN
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}
