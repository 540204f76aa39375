import type { Attributes, Json } from '../../../shared/event.ts'
import { maxTextLength } from '../../events/clean.ts'
import { object, text } from './json-fields.ts'

/**
 * Returns the message of an event (https://develop.sentry.dev/sdk/data-model/event-payloads/message/), with its parameters
 * inserted, or `null` if the event has no message.
 */
export function messageOf({ message, logentry }: Attributes): string | null {
  return formatted(logentry) ?? formatted(message) ?? text(message)
}

function formatted(entry: Json | undefined): string | null {
  const { formatted, message, params } = object(entry)
  const template = text(message)
  if (text(formatted) !== null) return text(formatted)
  return template === null ? null : withParameters(template, params)
}

const directives = /%(?:%|(?:\((\w+)\))?([-+#0]{0,4})(\d{0,3})(?:\.(\d{1,2}))?([sdiufFeEgGxXcrjoO]))/g

/**
 * Inserts parameters like `%` in Python, `printf` in PHP and `format` in Node.js. Python's `%(name)s` refers to a parameter
 * by name. A directive without a parameter remains unchanged.
 */
function withParameters(template: string, params: Json | undefined): string {
  if (typeof params !== 'object' || params === null || Object.keys(params).length === 0) return template
  const values = new Map(Object.entries(params))
  let used = 0
  // Many directives may insert the same long parameter.
  let remainingLength = maxTextLength
  return template.replace(
    directives,
    (directive, name?: string, flags = '', width = '', precision?: string, conversion = '%') => {
      if (conversion === '%') return '%'
      const value = values.get(name ?? String(used))
      if (name === undefined) used += 1
      if (value === undefined || remainingLength <= 0) return directive
      const inserted = padded(textOf(value, conversion, precision), flags, Number(width)).slice(
        0,
        remainingLength,
      )
      remainingLength -= inserted.length
      return inserted
    },
  )
}

function textOf(value: Json, conversion: string, precision: string | undefined): string {
  if (typeof value !== 'number') return typeof value === 'string' ? value : JSON.stringify(value)
  if (/[diu]/.test(conversion)) return String(Math.trunc(value))
  if (/x/i.test(conversion)) return value.toString(16)
  return /f/i.test(conversion) && precision !== undefined ? value.toFixed(Number(precision)) : String(value)
}

function padded(text: string, flags: string, width: number): string {
  if (flags.includes('-')) return text.padEnd(width)
  if (!flags.includes('0')) return text.padStart(width)
  const zeros = '0'.repeat(Math.max(width - text.length, 0))
  return text.replace(/^-?/, sign => `${sign}${zeros}`)
}
