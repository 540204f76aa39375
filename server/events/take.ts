import type { Attributes, Json } from '../../shared/event.ts'

/** A field name and all paths that it may represent: a dot may be part of a name, or separate nested names. */
export type Path = { name: string; steps: readonly { holder: string; rest: Path }[] }

/** Parses field names into paths in advance, because every record is searched for them. */
export function pathsOf(names: readonly string[]): readonly Path[] {
  return names.map(pathOf)
}

function pathOf(name: string): Path {
  const dots = [...name.matchAll(/\./g)].map(({ index }) => index)
  return { name, steps: dots.map(dot => ({ holder: name.slice(0, dot), rest: pathOf(name.slice(dot + 1)) })) }
}

type Read<Value> = (value: Json) => Value | null

/**
 * The fields of a record. Known fields are removed; the rest become the event's attributes. A path matches a nested field
 * (`req.method`) and a dotted name, at any level (`resource: { 'service.name': … }`).
 */
export class Fields {
  constructor(readonly left: Attributes) {}

  /** Removes the first of these fields that `read` accepts and returns its value; `null` if there is none. */
  take<Value>(paths: readonly Path[], read: Read<Value>): Value | null {
    for (const path of paths) {
      const value = locate(this.left, path, read, true)
      if (value !== null) return value
    }
    return null
  }

  /** Removes these fields if they are empty or contain only empty objects. */
  trim(names: readonly string[]): void {
    for (const name of names) {
      const value = own(this.left, name)
      if (isObject(value) && Object.values(value).every(isEmpty)) delete this.left[name]
    }
  }
}

/** Reads the first of these fields that `read` accepts, without removing it; `null` if there is none. */
export function find<Value>(record: Attributes, paths: readonly Path[], read: Read<Value>): Value | null {
  for (const path of paths) {
    const value = locate(record, path, read, false)
    if (value !== null) return value
  }
  return null
}

function locate<Value>(
  holder: Attributes,
  { name, steps }: Path,
  read: Read<Value>,
  removes: boolean,
): Value | null {
  const field = own(holder, name)
  const value = field === undefined ? null : read(field)
  if (value !== null) {
    if (removes) delete holder[name]
    return value
  }
  for (const step of steps) {
    const inner = own(holder, step.holder)
    const nested = isObject(inner) ? locate(inner, step.rest, read, removes) : null
    if (nested !== null) return nested
  }
  return null
}

function isEmpty(value: Json): boolean {
  return isObject(value) && Object.keys(value).length === 0
}

export function isObject(value: Json | undefined): value is Attributes {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function own(fields: Attributes, name: string): Json | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined
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
