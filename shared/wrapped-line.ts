import type { Attributes, Json } from './event.ts'
import * as names from './field-names.ts'
import { hasField, hasTopField } from './has-field.ts'
import { readLevel, readSeverity, readSeverityNumber } from './read-level.ts'
import { isObject, readName, readText } from './read-value.ts'

const decoder = new TextDecoder()

/**
 * Returns the program's line and the name of its field, if a log collector wrapped the line: `log` (Docker, Fluent Bit),
 * `MESSAGE` (journald) or, if the line is a log record as JSON, `message` (Vector, Filebeat).
 */
export function wrappedLineOf(record: object): { name: string; text: string } | undefined {
  if ('msg' in record) return undefined
  if ('message' in record) {
    const { message } = record
    if (typeof message !== 'string' || !message.startsWith('{')) return undefined
    return isCollected({ ...record, message }) && isLogRecord(message)
      ? { name: 'message', text: message }
      : undefined
  }
  const log: unknown = Reflect.get(record, 'log')
  if (typeof log === 'string') return { name: 'log', text: log }
  const message: unknown = Reflect.get(record, 'MESSAGE')
  if (typeof message === 'string') return { name: 'MESSAGE', text: message }
  // journald writes text with control characters, such as colours, as a list of bytes.
  return isBytes(message) ? { name: 'MESSAGE', text: decoder.decode(Uint8Array.from(message)) } : undefined
}

/**
 * Whether Vector or Filebeat created the record, rather than a program. A program may log JSON that its visitors sent, which
 * must not set the service, the level or the time. A program's record usually has a level or a service, also after a
 * collector has parsed it and added fields.
 */
function isCollected(record: Attributes): boolean {
  return (
    hasTopField(record, names.collectorNames, readText) &&
    !hasTopField(record, names.programServiceNames, readName) &&
    !hasLevel(record)
  )
}

/** Whether text is a log record as JSON. A program may also print other JSON, such as the response of a server. */
function isLogRecord(text: string): boolean {
  try {
    const value: Json = JSON.parse(text)
    return isObject(value) && hasLevel(value) && hasTopField(value, names.messageNames, readText)
  } catch {
    return false
  }
}

function hasLevel(record: Attributes): boolean {
  return (
    hasField(record, names.levelNames, readLevel) ||
    hasField(record, names.severityNames, readSeverity) ||
    hasField(record, names.severityNumberNames, readSeverityNumber)
  )
}

function isBytes(value: unknown): value is number[] {
  return Array.isArray(value) && value.every(byte => Number.isInteger(byte) && byte >= 0 && byte <= 255)
}
