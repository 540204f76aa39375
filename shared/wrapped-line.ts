import { levelNames, messageNames, severityNames, severityNumberNames } from './field-names.ts'
import { isObject } from './read-value.ts'

const decoder = new TextDecoder()
const allLevelNames = [...levelNames, ...severityNames, ...severityNumberNames]

/**
 * Returns the program's line and the name of its field, if a log collector wrapped the line: `log` (Docker, Fluent Bit),
 * `MESSAGE` (journald) or, if the line is JSON, `message` (Vector, Filebeat).
 */
export function wrappedLineOf(record: object): { name: string; text: string } | undefined {
  if ('msg' in record) return undefined
  if ('message' in record) {
    const { message } = record
    const mayBeLine = typeof message === 'string' && message.startsWith('{') && !hasLevel(record)
    return mayBeLine && isLogRecord(message) ? { name: 'message', text: message } : undefined
  }
  const log: unknown = Reflect.get(record, 'log')
  if (typeof log === 'string') return { name: 'log', text: log }
  const message: unknown = Reflect.get(record, 'MESSAGE')
  if (typeof message === 'string') return { name: 'MESSAGE', text: message }
  // journald writes text with control characters, such as colours, as a list of bytes.
  return isBytes(message) ? { name: 'MESSAGE', text: decoder.decode(Uint8Array.from(message)) } : undefined
}

/** Whether text is a log record as JSON. A program may also log other JSON, such as the response of a server. */
function isLogRecord(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) && (hasLevel(value) || messageNames.some(name => Object.hasOwn(value, name)))
  } catch {
    return false
  }
}

/** Ignores levels in nested objects, which collectors do not write. */
function hasLevel(record: object): boolean {
  return allLevelNames.some(name => Object.hasOwn(record, name))
}

function isBytes(value: unknown): value is number[] {
  return Array.isArray(value) && value.every(byte => Number.isInteger(byte) && byte >= 0 && byte <= 255)
}
