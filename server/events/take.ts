import type { Attributes, Json } from '../../shared/event.ts'

/**
 * The fields of a record, from which what an event has a place for is taken out; what is left are its
 * attributes. A path stands for a nested field (`req.method`) or for a field whose name has dots.
 */
export class Fields {
  constructor(readonly left: Attributes) {}

  /** Takes the first of these fields that `read` can make something of; a field it cannot read stays. */
  take<Value>(paths: readonly string[], read: (value: Json) => Value | null): Value | null {
    for (const path of paths) {
      const holder = this.#holderOf(path)
      if (holder === null) continue
      const value = read(holder.value)
      if (value === null) continue
      delete holder.in[holder.name]
      return value
    }
    return null
  }

  /** Takes away nested fields of which nothing is left. */
  trim(names: readonly string[]): void {
    for (const name of names) {
      const value = this.left[name]
      if (isObject(value) && Object.keys(value).length === 0) delete this.left[name]
    }
  }

  #holderOf(path: string): { in: Attributes; name: string; value: Json } | null {
    const direct = own(this.left, path)
    if (direct !== undefined) return { in: this.left, name: path, value: direct }
    if (!path.includes('.')) return null
    const steps = path.split('.')
    let holder = this.left
    for (const step of steps.slice(0, -1)) {
      const next = own(holder, step)
      if (!isObject(next)) return null
      holder = next
    }
    const name = steps.at(-1) ?? ''
    const value = own(holder, name)
    return value === undefined ? null : { in: holder, name, value }
  }
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
