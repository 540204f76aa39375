import type { Attributes, Json } from '../../../shared/event.ts'
import { isObject } from '../../../shared/read-value.ts'

type Value = Json | undefined

/** Returns text that is not empty, or `null` for any other value. */
export function text(value: Value): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/** Returns a finite number, or `null` for any other value. */
export function number(value: Value): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

/** Returns an object, or an empty one for any other value. */
export function object(value: Value): Attributes {
  return value !== undefined && isObject(value) ? value : {}
}

/** Returns the entries of an array, or of the `values` field, in which Sentry's SDKs wrap most lists. */
export function list(value: Value): Json[] {
  if (Array.isArray(value)) return value
  const { values } = object(value)
  return Array.isArray(values) ? values : []
}

/** Omits fields without a value, because they would become attributes. */
export function present(fields: { [name: string]: Value }): Attributes {
  const present: Attributes = {}
  for (const name in fields) {
    const value = fields[name]
    if (value !== undefined && value !== null && value !== '' && !isEmpty(value)) present[name] = value
  }
  return present
}

function isEmpty(value: Json): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}
