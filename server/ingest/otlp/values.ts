import type { Attributes, Json } from '../../../shared/event.ts'

/** Values inside values; what lies deeper says so. An event keeps fewer. */
export const deepest = 32

/**
 * How many values may still be read of one record. Of more than an event keeps (events/clean.ts, which says what it
 * leaves out) reading would only take time: the rest is not looked at.
 */
export type Room = { values: number }

export function createRoom(): Room {
  return { values: 20_000 }
}

/** Takes the room of one value; `false` where there is none left. */
export function takeRoom(room: Room): boolean {
  room.values -= 1
  return room.values >= 0
}

/** A plain assignment to `__proto__` would set the prototype instead of a field. */
export function setField(fields: Attributes, name: string, value: Json): void {
  if (name === '__proto__') {
    Object.defineProperty(fields, name, { value, enumerable: true, configurable: true, writable: true })
  } else fields[name] = value
}

/** A 64-bit integer: a number where that is exact, else its digits. */
export function integer(value: bigint | string): number | string {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : String(value)
}

/** JSON knows neither NaN nor the infinities. */
export function double(value: number): number | string {
  return Number.isFinite(value) ? value : String(value)
}
