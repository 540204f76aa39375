import type { Json } from './event.ts'

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns nonempty text, or a number as text. Returns `null` for any other value. */
export function readText(value: Json): string | null {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : null
}

/** Like `readText`, for names and ids: returns `null` for text over 500 characters, which stays an attribute. */
export function readName(value: Json): string | null {
  const text = readText(value)
  return text !== null && text.length <= 500 ? text : null
}

/** Reads a finite number from a number or from text. */
export function readNumber(value: Json): number | null {
  if (typeof value === 'string' && value.trim() === '') return null
  const number = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN
  return Number.isFinite(number) ? number : null
}
