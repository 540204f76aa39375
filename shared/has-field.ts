import type { Attributes, Json } from './event.ts'
import { wrapperNames } from './field-names.ts'
import { isObject } from './read-value.ts'

/** Returns `null` for an invalid value. */
type Read = (value: Json) => number | string | null

const nestingNames = ['attributes', ...wrapperNames]

/** Whether the record, or an object in which loggers nest fields, has one of these fields with a valid value. */
export function hasField(
  record: Attributes,
  names: readonly string[],
  read: Read,
  nestedNames = names,
): boolean {
  return (
    hasTopField(record, names, read) ||
    nestingNames.some(name => hasTopField(fieldOf(record, name), nestedNames, read))
  )
}

/** Like `hasField`, but ignores the objects in which loggers nest fields. A dot is part of a key or separates nested keys. */
export function hasTopField(record: Json | undefined, names: readonly string[], read: Read): boolean {
  return names.some(
    name =>
      read(fieldOf(record, name) ?? null) !== null ||
      [...name.matchAll(/\./g)].some(({ index }) =>
        hasTopField(fieldOf(record, name.slice(0, index)), [name.slice(index + 1)], read),
      ),
  )
}

function fieldOf(value: Json | undefined, name: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}
