import { hourMs, minuteMs } from '../../shared/duration-units.ts'
import type { Json } from '../../shared/event.ts'
import { readNumber } from '../../shared/read-value.ts'

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
