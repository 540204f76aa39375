import { type Json, type Severity, severityOfOtelNumber } from '../../shared/event.ts'
import { readNumber } from './take.ts'

const severityWords: Readonly<Record<string, Severity>> = {
  trace: 'trace',
  verbose: 'trace',
  silly: 'trace',
  debug: 'debug',
  info: 'info',
  information: 'info',
  informational: 'info',
  notice: 'info',
  log: 'info',
  http: 'info',
  warn: 'warn',
  warning: 'warn',
  error: 'error',
  err: 'error',
  severe: 'error',
  fatal: 'fatal',
  critical: 'fatal',
  crit: 'fatal',
  alert: 'fatal',
  emergency: 'fatal',
  emerg: 'fatal',
  panic: 'fatal',
}

/** How syslog numbers its severities (https://www.rfc-editor.org/rfc/rfc5424#section-6.2.1). */
const syslog: readonly Severity[] = ['fatal', 'fatal', 'fatal', 'error', 'warn', 'info', 'info', 'debug']

/**
 * A level by its word, by pino's number (10 to 60, https://getpino.io/#/docs/api?id=logger-level) or by syslog's
 * (0 to 7): the two do not overlap.
 */
export function readLevel(value: Json): Severity | null {
  const number = readNumber(value)
  if (number === null) return readWord(value)
  if (number < 10) return syslog[number] ?? null
  if (number < 20) return 'trace'
  if (number < 30) return 'debug'
  if (number < 40) return 'info'
  if (number < 50) return 'warn'
  return number < 60 ? 'error' : 'fatal'
}

/** OpenTelemetry writes `INFO2` for a finer step. */
function readWord(value: Json): Severity | null {
  const word =
    typeof value === 'string'
      ? value
          .trim()
          .toLowerCase()
          .replace(/[1-4]$/, '')
      : ''
  return Object.hasOwn(severityWords, word) ? (severityWords[word] ?? null) : null
}

/** OpenTelemetry's severity number, 1 to 24 in steps of four. */
export function readSeverityNumber(value: Json): Severity | null {
  const number = readNumber(value)
  return number === null ? null : severityOfOtelNumber(number)
}

/** What stands under `severity`: OpenTelemetry's number or a word, or pino's number from 25 on. */
export function readSeverity(value: Json): Severity | null {
  return readSeverityNumber(value) ?? readLevel(value)
}

// A window that ends now would not show what its writer's clock puts behind it: a failure would be seen late.
const mostAheadMs = 1000
const earliestMs = Date.UTC(2000, 0, 1)

/**
 * An instant as milliseconds: ISO 8601 text (UTC where it names no zone) or a mail date, or a number since 1970
 * in seconds, milli-, micro- or nanoseconds, told apart by their size. `null` for what is no plausible time of an
 * event: before 2000, or more than a second ahead of `nowMs`.
 */
export function readTime(value: Json, nowMs: number): number | null {
  const ms = typeof value === 'string' && !isDigits(value) ? readDate(value.trim()) : scaled(value)
  return ms >= earliestMs && ms <= nowMs + mostAheadMs ? Math.round(ms * 1000) / 1000 : null
}

const isoDate = /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d)(:\d\d)?(?:[.,](\d+))?\s?(Z|z|[+-]\d\d:?\d\d)?)?$/
const mailDate =
  /^(?:[A-Z][a-z]{2}, )?\d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d(?::\d\d)? (?:GMT|UT|UTC|[+-]\d{4})$/

// Date.parse alone takes nearly any text for a date, and a time without a zone for one of this machine's.
function readDate(text: string): number {
  const [, date, time, seconds = '', fraction = '0', zone = 'Z'] = isoDate.exec(text) ?? []
  if (date === undefined) return mailDate.test(text) ? Date.parse(text) : Number.NaN
  if (time === undefined) return Date.parse(date)
  const offset = zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone.toUpperCase()
  return Date.parse(`${date}T${time}${seconds}${offset}`) + Number(`0.${fraction}`) * 1000
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

/** `hex` characters of hexadecimal that are not all zero, in lower case. */
export function readId(hex: 16 | 32): (value: Json) => string | null {
  const pattern = new RegExp(`^(?!0+$)[0-9a-f]{${hex}}$`)
  return value => {
    const text = typeof value === 'string' ? value.replaceAll('-', '').toLowerCase() : ''
    return pattern.test(text) ? text : null
  }
}

export function readStatus(value: Json): number | null {
  const number = readNumber(value)
  return number !== null && Number.isInteger(number) && number >= 100 && number <= 599 ? number : null
}

/** Milliseconds; as a text perhaps with its unit: `12ms`, `1.5s`, `200µs`. */
export function readDuration(value: Json): number | null {
  const [, digits = null, unit = 'ms'] =
    typeof value === 'string' ? (/^(\d+(?:\.\d+)?)\s?(ns|[uµμ]s|ms|s)?$/.exec(value.trim()) ?? []) : []
  const number = readNumber(typeof value === 'string' ? digits : value)
  const ms = number === null ? Number.NaN : number * unitMs(unit)
  return ms >= 0 && ms < 1e10 ? ms : null
}

function unitMs(unit: string): number {
  if (unit === 'ms') return 1
  if (unit === 's') return 1000
  return unit === 'ns' ? 1e-6 : 1e-3
}

const methods = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|CONNECT|TRACE|QUERY)$/i

export function readMethod(value: Json): string | null {
  return typeof value === 'string' && methods.test(value) ? value.toUpperCase() : null
}
