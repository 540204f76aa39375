import { stripVTControlCharacters } from 'node:util'
import { hourMs, minuteMs } from '../../shared/duration-units.ts'
import type { Json } from '../../shared/event.ts'
import { readNumber } from '../../shared/read-value.ts'
import { type Severity, severityLetters, severityOfOtelNumber, severityWords } from '../../shared/severity.ts'

const severityByWord: Readonly<Record<string, Severity>> = { ...severityWords, ...severityLetters }

/** Severities by syslog severity number (https://www.rfc-editor.org/rfc/rfc5424#section-6.2.1). */
const syslog: readonly Severity[] = ['fatal', 'fatal', 'fatal', 'error', 'warn', 'info', 'info', 'debug']

/** Severities by Monolog's level number (https://github.com/Seldaek/monolog/blob/main/src/Monolog/Level.php). */
const monolog: ReadonlyMap<number, Severity> = new Map([
  [100, 'debug'],
  [200, 'info'],
  [250, 'info'],
  [300, 'warn'],
  [400, 'error'],
])

/**
 * Reads a level: a word, its first letter, pino's number (10 to 60, https://getpino.io/#/docs/api?id=logger-level),
 * syslog's number (0 to 7) or Monolog's number (100 to 600). The ranges do not overlap. Other numbers above 10 get the
 * severity of pino's next lower number. Returns `null` for any other value, and for the number 0, which means `info` in
 * Go's logr but an unknown severity in OpenTelemetry. journald sends its level 0 as text.
 */
export function readLevel(value: Json): Severity | null {
  if (value === 0) return null
  const number = readNumber(value)
  if (number === null) return readWord(value)
  if (number < 10) return syslog[number] ?? null
  if (number < 20) return 'trace'
  if (number < 30) return 'debug'
  if (number < 40) return 'info'
  if (number < 50) return 'warn'
  return number < 60 ? 'error' : (monolog.get(number) ?? 'fatal')
}

/**
 * Ignores the digit in OpenTelemetry's intermediate levels (`INFO2`), the offset in those of Go's slog (`ERROR+2`), and the
 * colours that winston adds.
 */
function readWord(value: Json): Severity | null {
  if (typeof value !== 'string') return null
  const plain = value.includes('\u001b') ? stripVTControlCharacters(value) : value
  const word = plain
    .trim()
    .toLowerCase()
    .replace(/(?:[1-4]|[+-]\d{1,4})$/, '')
  return Object.hasOwn(severityByWord, word) ? (severityByWord[word] ?? null) : null
}

/** Reads OpenTelemetry's severity number: 1 to 24, with four numbers per severity. */
export function readSeverityNumber(value: Json): Severity | null {
  const number = readNumber(value)
  return number === null ? null : severityOfOtelNumber(number)
}

/** Reads the `severity` field: OpenTelemetry's number (1 to 24), or any other level that `readLevel` accepts. */
export function readSeverity(value: Json): Severity | null {
  return readSeverityNumber(value) ?? readLevel(value)
}

/**
 * Creates a parser for hexadecimal ids of this length, with or without hyphens. The parser returns the id in
 * lower case without hyphens, or `null` if the value is not such an id or all its digits are zero.
 */
export function readId(digits: 16 | 32): (value: Json) => string | null {
  const pattern = new RegExp(`^(?!0+$)[0-9a-f]{${digits}}$`)
  return value => {
    const text = typeof value === 'string' ? value.replaceAll('-', '').toLowerCase() : ''
    return pattern.test(text) ? text : null
  }
}

/** Reads an HTTP status code, 100 to 599. */
export function readStatus(value: Json): number | null {
  const number = readNumber(value)
  return number !== null && Number.isInteger(number) && number >= 100 && number <= 599 ? number : null
}

const durationText = /^(?:(?:(\d+)h)?(\d+)m(?=[\d.]+s$))?(\d+(?:\.\d+)?)\s?(ns|[u\u00b5\u03bc]s|ms|s)?$/

/**
 * Reads a duration and returns milliseconds. Accepts a number of milliseconds, or text with an optional unit (`12ms`, `1.5s`,
 * `200µs` with the micro sign or the Greek letter), or Go's form for longer durations (`1h2m3.5s`).
 */
export function readDuration(value: Json): number | null {
  const [, hours = 0, minutes = 0, digits = null, unit = 'ms'] =
    typeof value === 'string' ? (durationText.exec(value.trim()) ?? []) : []
  const number = readNumber(typeof value === 'string' ? digits : value)
  const ms =
    number === null ? Number.NaN : number * unitMs(unit) + Number(hours) * hourMs + Number(minutes) * minuteMs
  return ms >= 0 && ms < 1e10 ? ms : null
}

function unitMs(unit: string): number {
  if (unit === 'ms') return 1
  if (unit === 's') return 1000
  return unit === 'ns' ? 1e-6 : 1e-3
}

const methods = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|CONNECT|TRACE|QUERY)$/i

/** Reads an HTTP method and returns it in upper case. */
export function readMethod(value: Json): string | null {
  return typeof value === 'string' && methods.test(value) ? value.toUpperCase() : null
}
