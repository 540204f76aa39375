import type { Json, NewEvent } from '../../../shared/event.ts'

/**
 * The event with U+FFFD in place of each half of a surrogate pair that stands alone, in values and keys:
 * such a half has no form in UTF-8, so no engine could keep it. The event itself where there is none.
 */
export function wellFormed(event: NewEvent): NewEvent {
  return isWellFormed(event) ? event : JSON.parse(mended(JSON.stringify(event)))
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
