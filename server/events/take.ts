import type { Attributes, Json } from '../../shared/event.ts'
import { topLevelNames, wrapperNames } from '../../shared/field-names.ts'
import { isObject } from '../../shared/read-value.ts'
import { setField } from './clean.ts'

/** A field name and all paths that it may represent. Each dot may be part of a name or separate nested names. */
export type Path = { name: string; steps: readonly { parent: string; rest: Path }[] }

/**
 * The paths of one known field, and those that are also valid in a nested object. `bit` identifies them in `Fields`; two sets
 * of paths may have the same bit.
 */
export type Paths = { all: readonly Path[]; nested: readonly Path[]; bit: number }

/** For each top-level field name, the bits of the paths that may start with it. */
const bitsByName = new Map<string, number>()
let bitsCount = 0

/** Returns an unused bit for `pathsOf`. There are only 32 bits, so related paths share one. */
export function nextBit(): number {
  bitsCount += 1
  return 1 << (bitsCount - 1)
}

/** Parses field names into paths in advance, because every record is searched for them. */
export function pathsOf(names: readonly string[], { nested = names, bit = nextBit() } = {}): Paths {
  for (const name of topLevelNames(names)) bitsByName.set(name, (bitsByName.get(name) ?? 0) | bit)
  return { all: names.map(pathOf), nested: nested.map(pathOf), bit }
}

function pathOf(name: string): Path {
  const dots = [...name.matchAll(/\./g)].map(({ index }) => index)
  return { name, steps: dots.map(dot => ({ parent: name.slice(0, dot), rest: pathOf(name.slice(dot + 1)) })) }
}

type Read<Value> = (value: Json) => Value | null

/** The fields of a record that have not been taken yet. A taken field is `undefined` or missing. */
export type Remaining = { [name: string]: Json | undefined }

/** How deep to search the objects in which loggers nest fields. loguru needs two levels: `record` contains `extra`. */
const maxWrapperDepth = 2

/**
 * The fields of a record. Known fields are removed; the rest become the event's attributes. A path matches a nested field
 * (`req.method`) and a dotted name at any level (`resource: { 'service.name': … }`), also in the objects in which loggers
 * nest fields (`wrapperNames`).
 */
export class Fields {
  // The bits of the known names in the record. Most known fields are absent, and testing a bit is faster than a lookup.
  readonly #presentBits: number
  readonly #nested: Fields[] | null

  constructor(
    readonly remaining: Remaining,
    readonly depth = 0,
    wrapperDepth = maxWrapperDepth,
  ) {
    let bits = 0
    let nested: Fields[] | null = null
    for (const name in remaining) {
      bits |= bitsByName.get(name) ?? 0
      const value = remaining[name]
      if (isObject(value) && depth < wrapperDepth && (wrapperNames.has(name) || containsError(value))) {
        nested ??= []
        nested.push(new Fields(value, depth + 1))
      }
    }
    this.#presentBits = bits
    this.#nested = nested
  }

  /** Whether the record may have a field with this bit. Ignores the objects in which loggers nest fields. */
  mayHave({ bit }: Pick<Paths, 'bit'>): boolean {
    return (this.#presentBits & bit) !== 0
  }

  /** Removes the first of these fields that `read` accepts and returns its value; `null` if there is none. */
  take<Value>(paths: Paths, read: Read<Value>): Value | null {
    return this.first(fields => fields.takeHere(paths, read))
  }

  /** Like `take`, but does not remove the field. */
  find<Value>(paths: Paths, read: Read<Value>): Value | null {
    return this.first(fields => fields.#locateHere(paths, read, false))
  }

  /** Like `take`, but does not search the objects in which loggers nest fields. */
  takeHere<Value>(paths: Paths, read: Read<Value>): Value | null {
    return this.#locateHere(paths, read, true)
  }

  /** Calls `take` for the record, then for each object in which loggers nest fields, until a result is not `null`. */
  first<Value>(take: (fields: Fields) => Value | null): Value | null {
    const value = take(this)
    if (value !== null || this.#nested === null) return value
    for (const fields of this.#nested) {
      const found = fields.first(take)
      if (found !== null) return found
    }
    return null
  }

  #locateHere<Value>(paths: Paths, read: Read<Value>, removes: boolean): Value | null {
    if (!this.mayHave(paths)) return null
    for (const path of this.depth === 0 ? paths.all : paths.nested) {
      const value = locate(this.remaining, path, read, removes)
      if (value !== null) return value
    }
    return null
  }

  /**
   * Returns the fields that were not taken. Omits the objects with these names if they are empty. The result is a copy,
   * because objects from which fields were deleted are slow to read.
   */
  rest(omittedIfEmpty: ReadonlySet<string>): Attributes {
    const rest: Attributes = {}
    for (const name in this.remaining) {
      const value = this.remaining[name]
      if (value === undefined || (omittedIfEmpty.has(name) && containsOnlyEmpty(value))) continue
      setField(rest, name, copyOf(value))
    }
    return rest
  }
}

/** Whether an object contains an error with a stack. pino's `nestedKey` option puts errors in an object with any name. */
function containsError({ err, error }: Remaining): boolean {
  return hasStack(err) || hasStack(error)
}

function hasStack(value: Json | undefined): boolean {
  return isObject(value) && typeof value.stack === 'string'
}

/**
 * Copies the remaining fields of an object. Arrays need no copy: only `takeDigest` takes fields from the objects in them,
 * and it deletes these fields instead of setting them to `undefined`.
 */
function copyOf(value: Json): Json {
  if (!isObject(value)) return value
  const copy: Attributes = {}
  for (const name in value) {
    const inner: Json | undefined = value[name]
    if (inner !== undefined) setField(copy, name, copyOf(inner))
  }
  return copy
}

/** Whether a value is an object that contains nothing except empty objects. */
function containsOnlyEmpty(value: Json): boolean {
  return isObject(value) && valuesOf(value).every(inner => isObject(inner) && valuesOf(inner).length === 0)
}

function valuesOf(fields: Remaining): Json[] {
  return Object.values(fields).filter(value => value !== undefined)
}

function locate<Value>(
  parent: Remaining,
  { name, steps }: Path,
  read: Read<Value>,
  removes: boolean,
): Value | null {
  const field = own(parent, name)
  const value = field === undefined ? null : read(field)
  if (value !== null) {
    if (removes) parent[name] = undefined
    return value
  }
  for (const step of steps) {
    const inner = own(parent, step.parent)
    const nested = isObject(inner) ? locate(inner, step.rest, read, removes) : null
    if (nested !== null) return nested
  }
  return null
}

function own(fields: Remaining, name: string): Json | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}
