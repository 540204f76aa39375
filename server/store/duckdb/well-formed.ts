import type { NewEvent } from '../../../shared/event.ts'

/**
 * The event with U+FFFD in place of each half of a surrogate pair that stands alone, in values and keys:
 * such a half has no form in UTF-8, so no engine could keep it. The event itself where there is none.
 *
 * Works on JSON text, where `JSON.stringify` writes exactly those halves as escapes
 * (https://tc39.es/ecma262/#sec-quotejsonstring).
 */
export function wellFormed(event: NewEvent): NewEvent {
  const text = JSON.stringify(event)
  if (!text.includes('\\ud')) return event
  return JSON.parse(
    text.replace(/\\(?:u[0-9a-f]{4}|.)/g, found => (/^\\ud[89a-f]/.test(found) ? '\ufffd' : found)),
  )
}
