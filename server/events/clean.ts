import { stdSerializers } from 'pino'
import { type Attributes, type Json, redacted } from '../../shared/event.ts'
import { errorNames } from '../../shared/field-names.ts'
import { isSecretName, redactText } from './redact.ts'

/** Limits on one event. Longer values are truncated, and a note is appended. */
export const maxTextLength = 64 * 1024
const maxNameLength = 200
const maxDepth = 16
/** Maximum number of fields in one object or entries in one array. */
export const maxEntries = 1000

/** Replaces a value that exceeds the budget. */
export const noRoom = '[no room]'

/**
 * Size budget of one event. Nested fields have a separate budget, so they cannot use up the message's budget. Each error has
 * its own budget, too, because without its exception, an event would not belong to its failure.
 */
const budget = { entries: 5000, characters: 256 * 1024 }
type Budget = typeof budget

/** Returns a copy of the fields as plain JSON, limited in size and without secrets. */
export type Clean = (value: unknown) => Attributes

/**
 * Creates the function that cleans the fields of an event before they are logged or stored. It never throws: the depth
 * limit ends cycles, and unreadable fields become `[unreadable]`.
 * @param paths dotted attribute paths to redact in addition to the built-in names
 */
export function createClean(paths: readonly string[]): Clean {
  // A path also matches inside OpenTelemetry's `attributes`.
  const configured = new Set(paths.flatMap(path => [path, `attributes.${path}`]))

  const cleanObject = (
    value: object,
    path: string,
    depth: number,
    remaining: Budget,
    inner = remaining,
  ): Attributes => {
    const copy: Attributes = {}
    const keys = Object.keys(value)
    const hasSecretValue = depth > 0 && isSecretPair(value)
    const stored = keys.length > maxEntries ? keys.slice(0, maxEntries) : keys
    for (const key of stored) {
      const { name, secret, isError } = nameOf(key)
      const fieldPath = configured.size === 0 ? '' : path === '' ? key : `${path}.${key}`
      const hidden = secret || configured.has(fieldPath) || (hasSecretValue && key === 'value')
      const nested = depth === 0 && isError ? { ...budget } : inner
      const cleaned = cleanField(value, key, fieldPath, hidden, depth + 1, remaining, nested)
      setField(copy, name, cleaned)
    }
    if (keys.length > maxEntries) copy['…'] = `[${keys.length - maxEntries} more]`
    return copy
  }

  const cleanField = (
    parent: object,
    key: string,
    path: string,
    hidden: boolean,
    depth: number,
    remaining: Budget,
    inner: Budget,
  ): Json => {
    try {
      const value: unknown = Reflect.get(parent, key)
      if (hidden && canBeSecret(value)) return redacted
      return cleanValue(value, path, depth, typeof value === 'object' ? inner : remaining)
    } catch {
      return '[unreadable]'
    }
  }

  const cleanValue = (value: unknown, path: string, depth: number, remaining: Budget): Json => {
    remaining.entries -= 1
    switch (typeof value) {
      case 'string':
        return cleanString(value, remaining)
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
    if (depth > maxDepth) return '[deeper]'
    if (remaining.entries <= 0) return noRoom
    if (Array.isArray(value)) return cleanArray(value, path, depth, remaining)
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
    if (value instanceof Error) return cleanObject(fieldsOf(value), path, depth, remaining)
    return isPlain(value)
      ? cleanObject(value, path, depth, remaining)
      : `[${value.constructor?.name ?? 'object'}]`
  }

  const cleanString = (text: string, remaining: Budget): string => {
    const cutLength = Math.min(text.length, maxTextLength)
    if (cutLength > remaining.characters) return noRoom
    remaining.characters -= cutLength
    return cleanText(text)
  }

  const cleanArray = (value: readonly unknown[], path: string, depth: number, remaining: Budget): Json[] => {
    const copy = Array.from(value.slice(0, maxEntries), (each, index) =>
      // Node's `rawHeaders` alternates between names and values.
      index % 2 === 1 && typeof each === 'string' && isSecretHeader(value[index - 1])
        ? redacted
        : cleanValue(each, path, depth + 1, remaining),
    )
    if (value.length > maxEntries) copy.push(`[${value.length - maxEntries} more]`)
    return copy
  }

  return value => {
    try {
      return typeof value === 'object' && value !== null
        ? cleanObject(value, '', 0, { ...budget }, { ...budget })
        : {}
    } catch {
      return { unreadable: true }
    }
  }
}

/** Like `createClean`; `setPaths` changes the redacted paths for later calls. */
export function createConfigurableClean(paths: readonly string[]): {
  clean: Clean
  setPaths(paths: readonly string[]): void
} {
  let clean = createClean(paths)
  return {
    clean: value => clean(value),
    setPaths(next) {
      clean = createClean(next)
    },
  }
}

/** Redacts secrets in text and truncates it to `maxTextLength` characters. */
function cleanText(text: string): string {
  if (text.length <= maxTextLength) return redactText(text)
  // Redact before truncating, and include some text beyond the cut, because half of a secret would not be recognised.
  const note = `… [${text.length} characters]`
  return redactText(text.slice(0, maxTextLength + 1000)).slice(0, maxTextLength - note.length) + note
}

const errors = new Set(errorNames)

type Name = { name: string; secret: boolean; isError: boolean }
const names = new Map<string, Name>()

/** Returns the name to store, and whether the field is secret or an error. Cached, because the same names occur in every event. */
function nameOf(key: string): Name {
  const cached = names.get(key)
  if (cached !== undefined) return cached
  const short = key.length > maxNameLength ? `${key.slice(0, maxNameLength)}…` : key
  const name = { name: redactText(short), secret: isSecretName(key), isError: errors.has(key) }
  if (key.length <= maxNameLength) {
    // Limits the memory that a client can use up with random names.
    if (names.size >= 10_000) names.clear()
    names.set(key, name)
  }
  return name
}

/** Whether a value may reveal a secret. For example, `password: null` and `hasToken: true` do not. */
function canBeSecret(value: unknown): boolean {
  return value !== null && value !== undefined && typeof value !== 'boolean'
}

/** Whether an entry in a list of headers or attributes is secret, such as `{ name: 'authorization', value: '…' }`. */
function isSecretPair(value: object): boolean {
  if (!('value' in value)) return false
  const name = 'name' in value ? value.name : 'key' in value ? value.key : null
  return typeof name === 'string' && nameOf(name).secret
}

function isSecretHeader(value: unknown): boolean {
  return typeof value === 'string' && /^(?:(?:proxy-)?authorization|(?:set-)?cookie|x-api-key)$/i.test(value)
}

/** Sets a field with any name. Assigning to `__proto__` would set the prototype instead. */
export function setField(fields: Attributes, name: string, value: Json): void {
  if (name === '__proto__') {
    Object.defineProperty(fields, name, { value, enumerable: true, configurable: true, writable: true })
  } else fields[name] = value
}

/** pino's representation of an error: type, message, stack with causes, and custom fields. */
function fieldsOf(error: Error): object {
  const fields = { ...stdSerializers.err(error) }
  return error instanceof AggregateError ? { ...fields, aggregateErrors: error.errors } : fields
}

// A log record may contain other objects, such as sockets and requests, but their properties are not fields.
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}
