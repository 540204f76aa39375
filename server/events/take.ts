import type { Attributes, Json } from '../../shared/event.ts'

/** The way to a field: by its whole name, else step by step. */
export type Path = { name: string; steps: readonly string[] }

/** A path stands for a nested field (`req.method`) or for a field whose name has dots. */
export function pathsOf(...names: string[]): readonly Path[] {
  return names.map(name => ({ name, steps: name.split('.') }))
}

/**
 * The fields of a record, from which what an event has a place for is taken out; what is left are its
 * attributes.
 */
export class Fields {
  constructor(readonly left: Attributes) {}

  /** Takes the first of these fields that `read` can make something of; a field it cannot read stays. */
  take<Value>(paths: readonly Path[], read: (value: Json) => Value | null): Value | null {
    for (const { name, steps } of paths) {
      const taken = takeFrom(this.left, name, read)
      if (taken !== null) return taken
      if (steps.length === 1) continue
      const nested = takeNested(this.left, steps, read)
      if (nested !== null) return nested
    }
    return null
  }

  /** Takes away nested fields of which nothing is left. */
  trim(names: readonly string[]): void {
    for (const name of names) {
      const value = own(this.left, name)
      if (isObject(value) && Object.keys(value).length === 0) delete this.left[name]
    }
  }
}

function takeNested<Value>(
  fields: Attributes,
  steps: readonly string[],
  read: (value: Json) => Value | null,
): Value | null {
  let holder = fields
  for (let depth = 0; depth < steps.length - 1; depth += 1) {
    const next = own(holder, steps[depth] ?? '')
    if (!isObject(next)) return null
    holder = next
  }
  return takeFrom(holder, steps.at(-1) ?? '', read)
}

function takeFrom<Value>(
  holder: Attributes,
  name: string,
  read: (value: Json) => Value | null,
): Value | null {
  const value = own(holder, name)
  const taken = value === undefined ? null : read(value)
  if (taken !== null) delete holder[name]
  return taken
}

export function isObject(value: Json | undefined): value is Attributes {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function own(fields: Attributes, name: string): Json | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}

/** A text that says something; a number counts as its digits. */
export function readText(value: Json): string | null {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : null
}

/** A short text, as names and ids are; anything longer is no such thing and stays an attribute. */
export function readName(value: Json): string | null {
  const text = readText(value)
  return text !== null && text.length <= 500 ? text : null
}

export function readNumber(value: Json): number | null {
  if (typeof value === 'string' && value.trim() === '') return null
  const number = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN
  return Number.isFinite(number) ? number : null
}
