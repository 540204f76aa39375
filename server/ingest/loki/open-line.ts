import { stripVTControlCharacters } from 'node:util'
import type { Attributes, Json } from '../../../shared/event.ts'
import { isObject } from '../../events/take.ts'
import { nestsDeeperThan } from '../ndjson/nesting.ts'
import { longestLine } from '../ndjson/read-lines.ts'
import { readLogfmt } from './logfmt.ts'

const deepest = 1000

/**
 * The fields of a line: those of its JSON object, of a JSON object behind its message (as winston-loki writes
 * lines), or of logfmt. Any other line is the message. Colours are taken out.
 */
export function openLine(text: string): Attributes {
  const line = text.trimEnd()
  // Only its beginning is kept, and patterns fail on texts of many megabytes.
  if (line.length > longestLine) return { msg: line }
  return open(line.includes('\u001b') ? stripVTControlCharacters(line).trimEnd() : line)
}

function open(line: string): Attributes {
  return readJsonLine(line) ?? readMessageLine(line) ?? readLogfmtLine(line) ?? { msg: line }
}

function readJsonLine(line: string): Attributes | null {
  return /^\s*\{/.test(line) ? readObject(line) : null
}

function readMessageLine(line: string): Attributes | null {
  const end = line.endsWith('}') ? line.indexOf(' {"') : -1
  const fields = end === -1 ? null : readObject(line.slice(end + 1))
  return fields === null || saysSomething(fields) ? null : { ...fields, msg: line.slice(0, end) }
}

function readLogfmtLine(line: string): Attributes | null {
  const fields = readLogfmt(line)
  // Without a message of its own the whole line says what there is to say.
  return fields === null || saysSomething(fields) ? fields : { ...fields, msg: line }
}

function saysSomething(fields: Attributes): boolean {
  return Object.hasOwn(fields, 'msg') || Object.hasOwn(fields, 'message')
}

function readObject(text: string): Attributes | null {
  if (!text.endsWith('}') || nestsDeeperThan(text, deepest)) return null
  try {
    const value: Json = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}
