import type { Attributes, Json } from '../../shared/event.ts'
import { isSecretName, redacted, redactText } from './redact.ts'

/** Bounds on one event; what lies beyond is cut and says so. */
export const longestText = 64 * 1024
const deepest = 16
const mostEntries = 1000

/** Gives a copy that is plain JSON, bounded, and without secrets. */
export type Clean = (value: unknown) => Attributes

/**
 * Makes what cleans the fields of an event, before it goes anywhere. Never throws, whatever the value holds:
 * cycles end at the depth bound, getters that throw are left out.
 * @param paths dotted paths that are redacted besides the built-in names
 */
export function createClean(paths: readonly string[]): Clean {
  const configured = new Set(paths)

  const cleanObject = (value: object, path: string, depth: number): Attributes => {
    const copy: Attributes = {}
    let left = mostEntries
    for (const [name, each] of Object.entries(value)) {
      if (left === 0) {
        copy['…'] = `[more than ${mostEntries} fields]`
        break
      }
      left -= 1
      const own = path === '' ? name : `${path}.${name}`
      // A plain assignment to __proto__ would set the prototype instead of a field.
      Object.defineProperty(copy, name, {
        value: secret(name, own) && each !== null ? redacted : cleanValue(each, own, depth + 1),
        enumerable: true,
        configurable: true,
        writable: true,
      })
    }
    return copy
  }
  const secret = (name: string, path: string) => isSecretName(name) || configured.has(path)

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
      return value.slice(0, mostEntries).map(each => cleanValue(each, path, depth + 1))
    }
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
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

/** Gives a text that the store can hold: without secrets, bounded, well-formed. */
export function cleanText(text: string): string {
  const cut = text.length > longestText ? `${text.slice(0, longestText)}… [${text.length} characters]` : text
  return redactText(cut)
}

// A log may be handed anything; the insides of a socket or a request are no fields.
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}
