import type { Attributes, Json, NewEvent } from '../../../shared/event.ts'

/**
 * Replaces text that the store cannot represent. Lone surrogates in values and keys become U+FFFD, because UTF-8 cannot
 * encode them. Leading byte order marks are removed. Returns the same object if nothing changes.
 */
export function wellFormed(event: NewEvent): NewEvent {
  const text = withoutByteOrderMarks(event)
  return isWellFormed(text) ? text : JSON.parse(replaceLoneSurrogates(JSON.stringify(text)))
}

// DuckDB's driver decodes each column with a TextDecoder, which drops U+FEFF at the start
// (https://encoding.spec.whatwg.org/#dom-textdecoder-ignorebom). Attributes are JSON, which never starts with U+FEFF.
function withoutByteOrderMarks(event: NewEvent): NewEvent {
  const { exception } = event
  const hasAnyMark = hasMark(event) || (exception !== null && hasMark(exception))
  if (!hasAnyMark) return event
  return { ...withoutMarks(event), exception: exception && withoutMarks(exception) }
}

function hasMark(fields: Attributes): boolean {
  for (const name in fields) {
    const value = fields[name]
    if (typeof value === 'string' && value.charCodeAt(0) === 0xfeff) return true
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

// Checks the fields in place, because creating an array of entries for each event took as long as parsing its line.
function isWellFormed(value: Json): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(isWellFormed)
  for (const name in value) {
    if (!name.isWellFormed() || !isWellFormed(value[name] ?? null)) return false
  }
  return true
}

/** `JSON.stringify` escapes lone surrogates, but not pairs (https://tc39.es/ecma262/#sec-quotejsonstring). */
function replaceLoneSurrogates(json: string): string {
  return json.replace(/\\(?:u[0-9a-f]{4}|.)/g, found => (/^\\ud[89a-f]/.test(found) ? '\ufffd' : found))
}
