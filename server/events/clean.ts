import { stdSerializers } from 'pino'
import { type Attributes, type Json, redacted } from '../../shared/event.ts'
import { isSecretName, redactText } from './redact.ts'

/** Bounds on one event; what lies beyond is cut and says so. */
export const longestText = 64 * 1024
const longestName = 200
const deepest = 16
/** Fields of one object or entries of one array. */
export const mostEntries = 1000

/** What one event has room for; nested fields have their own, so that they leave the message some. */
const room = { entries: 5000, characters: 256 * 1024 }
type Room = typeof room

/** Gives a copy that is plain JSON, bounded, and without secrets. */
export type Clean = (value: unknown) => Attributes

/**
 * Makes what cleans the fields of an event, before it goes anywhere. Never throws, whatever the value holds:
 * cycles end at the depth bound, what cannot be read says so.
 * @param paths dotted paths that are redacted besides the built-in names, as the event's attributes are named
 */
export function createClean(paths: readonly string[]): Clean {
  // What stands in `attributes` is as much the event's own as what stands beside it, and is named without it.
  const configured = new Set(paths.flatMap(path => [path, `attributes.${path}`]))

  const cleanObject = (value: object, path: string, depth: number, left: Room, inner = left): Attributes => {
    const copy: Attributes = {}
    const keys = Object.keys(value)
    const beside = depth > 0 && isSecretPair(value)
    for (const key of keys.slice(0, mostEntries)) {
      const { name, secret } = nameOf(key)
      const own = configured.size === 0 ? '' : path === '' ? key : `${path}.${key}`
      const hidden = secret || configured.has(own) || (beside && key === 'value')
      const cleaned = cleanField(value, key, own, hidden, depth + 1, left, inner)
      if (name === '__proto__') define(copy, name, cleaned)
      else copy[name] = cleaned
    }
    if (keys.length > mostEntries) copy['…'] = `[${keys.length - mostEntries} more]`
    return copy
  }

  const cleanField = (
    holder: object,
    key: string,
    path: string,
    hidden: boolean,
    depth: number,
    left: Room,
    inner: Room,
  ): Json => {
    try {
      const value: unknown = Reflect.get(holder, key)
      if (hidden && isTelling(value)) return redacted
      return cleanValue(value, path, depth, typeof value === 'object' ? inner : left)
    } catch {
      return '[unreadable]'
    }
  }

  const cleanValue = (value: unknown, path: string, depth: number, left: Room): Json => {
    left.entries -= 1
    switch (typeof value) {
      case 'string':
        return cleanString(value, left)
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
    if (left.entries <= 0) return '[no room]'
    if (Array.isArray(value)) return cleanArray(value, path, depth, left)
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
    if (value instanceof Error) return cleanObject(fieldsOf(value), path, depth, left)
    return isPlain(value) ? cleanObject(value, path, depth, left) : `[${value.constructor?.name ?? 'object'}]`
  }

  const cleanString = (text: string, left: Room): string => {
    const keptLength = Math.min(text.length, longestText)
    if (keptLength > left.characters) return '[no room]'
    left.characters -= keptLength
    return cleanText(text)
  }

  const cleanArray = (value: readonly unknown[], path: string, depth: number, left: Room): Json[] => {
    const copy = Array.from(value.slice(0, mostEntries), (each, index) =>
      // Node's rawHeaders: names and values by turns
      index % 2 === 1 && typeof each === 'string' && isSecretHeader(value[index - 1])
        ? redacted
        : cleanValue(each, path, depth + 1, left),
    )
    if (value.length > mostEntries) copy.push(`[${value.length - mostEntries} more]`)
    return copy
  }

  return value => {
    try {
      return typeof value === 'object' && value !== null
        ? cleanObject(value, '', 0, { ...room }, { ...room })
        : {}
    } catch {
      return { unreadable: true }
    }
  }
}

/** A clean whose paths can be changed: what is cleaned from then on follows the new ones. */
export function createChangingClean(paths: readonly string[]): {
  clean: Clean
  redact(paths: readonly string[]): void
} {
  let clean = createClean(paths)
  return {
    clean: value => clean(value),
    redact(next) {
      clean = createClean(next)
    },
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

/** That there is none, or whether there is one, is no secret. */
function isTelling(value: unknown): boolean {
  return value !== null && value !== undefined && typeof value !== 'boolean'
}

/** `{ name: 'authorization', value: '…' }`, as lists of headers and of attributes are written. */
function isSecretPair(value: object): boolean {
  if (!('value' in value)) return false
  const name = 'name' in value ? value.name : 'key' in value ? value.key : null
  return typeof name === 'string' && isSecretName(name)
}

function isSecretHeader(value: unknown): boolean {
  return typeof value === 'string' && /^(?:(?:proxy-)?authorization|(?:set-)?cookie|x-api-key)$/i.test(value)
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
