import { stdSerializers } from 'pino'
import type { Attributes, Json } from '../../shared/event.ts'
import { isSecretName, redacted, redactText } from './redact.ts'

/** Bounds on one event; what lies beyond is cut and says so. */
export const longestText = 64 * 1024
const longestName = 200
const deepest = 16
const mostEntries = 1000

/** Gives a copy that is plain JSON, bounded, and without secrets. */
export type Clean = (value: unknown) => Attributes

/**
 * Makes what cleans the fields of an event, before it goes anywhere. Never throws, whatever the value holds:
 * cycles end at the depth bound, what cannot be read says so.
 * @param paths dotted paths that are redacted besides the built-in names
 */
export function createClean(paths: readonly string[]): Clean {
  const configured = new Set(paths)

  const cleanObject = (value: object, path: string, depth: number): Attributes => {
    const copy: Attributes = {}
    let left = mostEntries
    for (const key of Object.keys(value)) {
      if (left === 0) {
        copy['…'] = `[more than ${mostEntries} fields]`
        break
      }
      left -= 1
      const { name, secret } = nameOf(key)
      const own = configured.size === 0 ? '' : path === '' ? key : `${path}.${key}`
      const cleaned = cleanField(value, key, own, secret || configured.has(own), depth + 1)
      if (name === '__proto__') define(copy, name, cleaned)
      else copy[name] = cleaned
    }
    return copy
  }

  const cleanField = (holder: object, key: string, path: string, secret: boolean, depth: number): Json => {
    try {
      const value: unknown = Reflect.get(holder, key)
      return secret && value !== null && value !== undefined ? redacted : cleanValue(value, path, depth)
    } catch {
      return '[unreadable]'
    }
  }

  const cleanValue = (value: unknown, path: string, depth: number): Json => {
    switch (typeof value) {
      case 'string':
        return cleanText(value)
      case 'boolean':
        return value
      case 'number':
        return Number.isFinite(value) ? value : String(value)
      case 'bigint':
        return String(value)
      case 'object':
        break
      default:
        return null
    }
    if (value === null) return null
    if (depth > deepest) return '[deeper]'
    if (Array.isArray(value)) {
      const entries = Array.from(value.slice(0, mostEntries), each => cleanValue(each, path, depth + 1))
      return value.length > mostEntries ? [...entries, `… [${value.length} entries]`] : entries
    }
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
    if (value instanceof Error) return cleanObject(fieldsOf(value), path, depth)
    return isPlain(value) ? cleanObject(value, path, depth) : `[${value.constructor?.name ?? 'object'}]`
  }

  return value => {
    try {
      return typeof value === 'object' && value !== null ? cleanObject(value, '', 0) : {}
    } catch {
      return { unreadable: true }
    }
  }
}

/** Gives a text that the store can hold: without secrets, and bounded. */
export function cleanText(text: string): string {
  if (text.length <= longestText) return redactText(text)
  // Redacted before the cut, and a little beyond it: a secret that is cut in two is no longer known as one.
  const note = `… [${text.length} characters]`
  return redactText(text.slice(0, longestText + 1000)).slice(0, longestText - note.length) + note
}

type Name = { name: string; secret: boolean }
const names = new Map<string, Name>()

/** What is to be known of a field's name. Names repeat with every event, so it is kept. */
function nameOf(key: string): Name {
  const kept = names.get(key)
  if (kept !== undefined) return kept
  const short = key.length > longestName ? `${key.slice(0, longestName)}…` : key
  const name = { name: redactText(short), secret: isSecretName(key) }
  if (key.length <= longestName) {
    // A sender of ever new ones must not fill the memory.
    if (names.size >= 10_000) names.clear()
    names.set(key, name)
  }
  return name
}

// A plain assignment to __proto__ would set the prototype instead of a field.
function define(copy: Attributes, name: string, value: Json) {
  Object.defineProperty(copy, name, { value, enumerable: true, configurable: true, writable: true })
}

/** pino's own form of an error: type, message, stack with its causes, and whatever fields it has. */
function fieldsOf(error: Error): object {
  const fields = { ...stdSerializers.err(error) }
  return error instanceof AggregateError ? { ...fields, aggregateErrors: error.errors } : fields
}

// A log may be handed anything; the insides of a socket or a request are no fields.
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}
