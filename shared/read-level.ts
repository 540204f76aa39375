import { stripVTControlCharacters } from 'node:util'
import type { Json } from './event.ts'
import { readNumber } from './read-value.ts'
import { type Severity, severityLetters, severityOfOtelNumber, severityWords } from './severity.ts'

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
