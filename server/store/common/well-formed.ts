import type { Json, NewEvent } from '../../../shared/event.ts'

/**
 * The event as the store can keep it: U+FFFD in place of each half of a surrogate pair that stands alone, in values
 * and keys, since such a half has no form in UTF-8; and no byte order mark at the beginning of a text, where it is no
 * text. The event itself where there is neither.
 */
export function wellFormed(event: NewEvent): NewEvent {
  const text = unmarked(event)
  return isWellFormed(text) ? text : JSON.parse(mended(JSON.stringify(text)))
}

// The engine's driver reads each column with a decoder that takes U+FEFF at the beginning for a byte order mark
// (https://encoding.spec.whatwg.org/#dom-textdecoder-ignorebom). Attributes are JSON, which never begins with it.
function unmarked(event: NewEvent): NewEvent {
  const { exception } = event
  const isMarked = hasMark(event) || (exception !== null && hasMark(exception))
  if (!isMarked) return event
  return { ...withoutMarks(event), exception: exception && withoutMarks(exception) }
}

function hasMark(fields: object): boolean {
  for (const value of Object.values(fields)) {
    if (typeof value === 'string' && value.startsWith('\ufeff')) return true
  }
  return false
}

function withoutMarks<Fields extends object>(fields: Fields): Fields {
  const copy = { ...fields }
  for (const [name, value] of Object.entries(copy)) {
    if (typeof value === 'string') Reflect.set(copy, name, value.replace(/^\ufeff+/, ''))
  }
  return copy
}

function isWellFormed(value: Json | NewEvent): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(isWellFormed)
  return Object.entries(value).every(([key, inner]) => key.isWellFormed() && isWellFormed(inner))
}

/** `JSON.stringify` writes such halves, and only them, as escapes (https://tc39.es/ecma262/#sec-quotejsonstring). */
function mended(json: string): string {
  return json.replace(/\\(?:u[0-9a-f]{4}|.)/g, found => (/^\\ud[89a-f]/.test(found) ? '\ufffd' : found))
}
