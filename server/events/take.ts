import type { Attributes, Json } from '../../shared/event.ts'

/** The name of a field, and each way to read it as a path: its dots may belong to names or lie between them. */
export type Path = { name: string; steps: readonly { holder: string; rest: Path }[] }

/** Prepares paths: they are looked for in every record. */
export function pathsOf(...names: string[]): readonly Path[] {
  return names.map(pathOf)
}

function pathOf(name: string): Path {
  const dots = [...name.matchAll(/\./g)].map(({ index }) => index)
  return { name, steps: dots.map(dot => ({ holder: name.slice(0, dot), rest: pathOf(name.slice(dot + 1)) })) }
}

/** The names that a field of a record may have for one of these paths to be in it. */
export function firstNamesOf(paths: readonly Path[]): string[] {
  return paths.flatMap(({ name, steps }) => [name, ...steps.map(({ holder }) => holder)])
}

/**
 * The fields of a record, from which what an event has a place for is taken out; what is left are its
 * attributes. A path stands for a nested field (`req.method`), and for one whose name has dots, wherever they are
 * (`resource: { 'service.name': … }`).
 */
export class Fields {
  constructor(readonly left: Attributes) {}

  /** Takes the first of these fields that `read` can make something of; a field it cannot read stays. */
  take<Value>(paths: readonly Path[], read: (value: Json) => Value | null): Value | null {
    for (const path of paths) {
      const taken = takeFrom(this.left, path, read)
      if (taken !== null) return taken
    }
    return null
  }

  /** Takes away nested fields of which nothing is left. */
  trim(names: readonly string[]): void {
    for (const name of names) {
      const value = own(this.left, name)
      if (isObject(value) && Object.values(value).every(isEmpty)) delete this.left[name]
    }
  }
}

function takeFrom<Value>(
  holder: Attributes,
  { name, steps }: Path,
  read: (value: Json) => Value | null,
): Value | null {
  const value = own(holder, name)
  const taken = value === undefined ? null : read(value)
  if (taken !== null) {
    delete holder[name]
    return taken
  }
  for (const step of steps) {
    const inner = own(holder, step.holder)
    const nested = isObject(inner) ? takeFrom(inner, step.rest, read) : null
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
