import type { Attributes, Json } from './event.ts'
import { isPlausibleTime } from './plausible-time.ts'
import { isObject, readNumber } from './read-value.ts'

/**
 * Reads a timestamp and returns epoch milliseconds. Accepts ISO 8601 (UTC if it has no time zone), an RFC 5322 date, a
 * number of seconds, milli-, micro- or nanoseconds since 1970 (distinguished by magnitude), or an object with seconds and
 * nanoseconds. Returns `null` for an implausible time: before 2000, or more than a second after `nowMs`.
 */
export function readTime(value: Json, nowMs: number): number | null {
  const ms = msOf(value)
  return isPlausibleTime(ms, nowMs) ? Math.round(ms * 1000) / 1000 : null
}

function msOf(value: Json): number {
  if (isObject(value)) return secondsOf(value) * 1e3
  return typeof value === 'string' && !isDigits(value) ? readDate(value.trim()) : scaled(value)
}

/** log4j2's `instant`, and Protobuf's `Timestamp` in loggers for Google Cloud. */
function secondsOf({ epochSecond, nanoOfSecond, seconds, nanos }: Attributes): number {
  const wholeSeconds = readNumber(epochSecond ?? seconds ?? null) ?? Number.NaN
  return wholeSeconds + (readNumber(nanoOfSecond ?? nanos ?? 0) ?? 0) / 1e9
}

const clock = String.raw`(\d\d:\d\d)(:\d\d)?(?:[.,](\d+))?`
/** After the offset, Go writes the zone's name and a monotonic clock reading, and Java writes the zone's id. */
const zone = String.raw`(?:Z|z|UTC|GMT|([+-]\d\d)(?::?(\d\d))?)(?: [\w+-]{1,6}(?: m=[+-][\d.]{1,30})?|\[[\w/:+-]{1,50}\])?`
const isoDate = new RegExp(String.raw`^(\d{4}-\d\d-\d\d)[Tt ]${clock}\s?(?:${zone})?$`)
const mailDate =
  /^(?:[A-Z][a-z]{2}, )?\d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d(?::\d\d)? (?:GMT|UT|UTC|[+-]\d{4})$/

/**
 * Reads an ISO 8601 time (UTC if it has no time zone) or an RFC 5322 date, and returns epoch milliseconds; `NaN` for other
 * text. A date without a time of day is not the time of an event. `Date.parse` alone accepts nearly any text, treats a time
 * without a zone as local time, and ignores microseconds.
 */
export function readDate(text: string): number {
  const [, date, time, seconds = '', fraction = '0', hours = '+00', minutes = '00'] = isoDate.exec(text) ?? []
  if (date === undefined) return mailDate.test(text) ? Date.parse(text) : Number.NaN
  return Date.parse(`${date}T${time}${seconds}${hours}:${minutes}`) + Number(`0.${fraction}`) * 1000
}

function isDigits(text: string): boolean {
  return /^\d+(?:\.\d+)?$/.test(text.trim())
}

function scaled(value: Json): number {
  const number = readNumber(value) ?? Number.NaN
  if (number < 1e11) return number * 1e3
  if (number < 1e14) return number
  return number < 1e17 ? number / 1e3 : number / 1e6
}
