/** A row of a result, by column. */
export type Row = Readonly<Record<string, unknown>>

export function text(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('Expected text from the engine')
  return value
}

export function textOrNull(value: unknown): string | null {
  return value === null ? null : text(value)
}

/** All stored integers are safe integers. */
export function number(value: unknown): number {
  if (typeof value === 'bigint') return Number(value)
  if (typeof value !== 'number') throw new TypeError('Expected a number from the engine')
  return value
}

export function numberOrNull(value: unknown): number | null {
  return value === null ? null : number(value)
}

export function list<T>(value: unknown, item: (value: unknown) => T): T[] {
  if (!Array.isArray(value)) throw new TypeError('Expected a list from the engine')
  return value.map(item)
}

/** @throws TypeError if the value is not one of the known strings */
export function oneOf<Known extends string>(known: readonly Known[], value: unknown): Known {
  const found = known.find(each => each === value)
  if (found === undefined)
    throw new TypeError('The store contains a value that this version does not support')
  return found
}
