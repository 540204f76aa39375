import type { Exception, Json, Severity } from '../../shared/event.ts'
import { isObject, readNumber, readText } from './take.ts'

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

/** A level by its word, or pino's by its number (10 to 60, https://getpino.io/#/docs/api?id=logger-level). */
export function readLevel(value: Json): Severity | null {
  const number = readNumber(value)
  if (number === null)
    return typeof value === 'string' ? (severityWords[value.trim().toLowerCase()] ?? null) : null
  if (number <= 0) return null
  if (number < 20) return 'trace'
  if (number < 30) return 'debug'
  if (number < 40) return 'info'
  if (number < 50) return 'warn'
  return number < 60 ? 'error' : 'fatal'
}

/** OpenTelemetry's severity number, 1 to 24 in steps of four. */
export function readSeverityNumber(value: Json): Severity | null {
  const number = readNumber(value)
  if (number === null || number < 1 || number > 24) return null
  const byStep: readonly Severity[] = ['trace', 'debug', 'info', 'warn', 'error', 'fatal']
  return byStep[Math.floor((number - 1) / 4)] ?? null
}

const dayMs = 86_400_000
const earliestMs = Date.UTC(2000, 0, 1)

/**
 * An instant as milliseconds: ISO 8601 text, or a number since 1970 in seconds, milli-, micro- or nanoseconds,
 * told apart by their size. `null` for what is no plausible time of an event: before 2000, or more than a day
 * ahead of `nowMs`.
 */
export function readTime(value: Json, nowMs: number): number | null {
  const ms =
    typeof value === 'string' && !/^-?\d+(\.\d+)?$/.test(value.trim()) ? Date.parse(value) : scaled(value)
  return Number.isFinite(ms) && ms >= earliestMs && ms <= nowMs + dayMs ? Math.round(ms * 1000) / 1000 : null
}

function scaled(value: Json): number {
  const number = readNumber(value) ?? Number.NaN
  if (number < 1e11) return number * 1e3
  if (number < 1e14) return number
  if (number < 1e17) return number / 1e3
  // Nanoseconds do not fit a number exactly; as text they are divided before they are rounded.
  return typeof value === 'string' ? Number(value.trim().slice(0, -3)) / 1e3 : number / 1e6
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

export function readDuration(value: Json): number | null {
  const number = readNumber(value)
  return number !== null && number >= 0 && number < 1e10 ? number : null
}

export function readMethod(value: Json): string | null {
  return typeof value === 'string' && /^[A-Za-z]{3,16}$/.test(value) ? value.toUpperCase() : null
}

/** An exception as loggers write it: an object with message and stack, or the stack as one text. */
export function readException(value: Json): Exception | null {
  if (typeof value === 'string' && value !== '') return fromText(value)
  if (!isObject(value)) return null
  const message = readText(value.message ?? value.msg ?? null)
  const stack = readText(value.stack ?? value.stacktrace ?? null)
  const type = readText(value.type ?? value.name ?? null)
  if (message === null && stack === null && type === null) return null
  const fromStack = stack === null ? null : fromText(stack)
  return { type: type ?? fromStack?.type ?? 'Error', message: message ?? fromStack?.message ?? '', stack }
}

function fromText(text: string): Exception {
  const end = text.search(/\r?\n\s+at /)
  const head = (end === -1 ? text : text.slice(0, end)).slice(0, 10_000)
  const [, type = 'Error', message = head] = /^([A-Z][\w.$]{0,100}): ([\s\S]*)$/.exec(head) ?? []
  return { type, message, stack: end === -1 ? null : text }
}
