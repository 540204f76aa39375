import type { Attributes, Json } from '../../../shared/event.ts'
import { readNumber } from '../../events/take.ts'
import type { Nanos } from './model.ts'
import { deepest, double, integer, type Room, setField, takeRoom } from './values.ts'

/** A message in JSON: fields of unknown names are not looked at (https://protobuf.dev/programming-guides/json/). */
export type Message = Readonly<Record<string, unknown>>

/** What is left out or `null` is an empty message. @throws Error where the value is no object */
export function messageOf(value: unknown, name: string): Message {
  if (value === undefined || value === null) return {}
  if (isMessage(value)) return value
  throw new Error(`${name} is no object`)
}

function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** @throws Error where the value is no array */
export function listOf(value: unknown, name: string): readonly unknown[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value
  throw new Error(`${name} is no array`)
}

/** @throws Error where the value is no text */
export function textOf(message: Message, name: string): string {
  const value = message[name] ?? ''
  if (typeof value === 'string') return value
  throw new Error(`${name} is no string`)
}

/** A number, or one as a text, as 64-bit integers are written. @throws Error where the value is neither */
export function numberOf(message: Message, name: string): number {
  const value = message[name] ?? 0
  const number = typeof value === 'number' || typeof value === 'string' ? readNumber(value) : null
  if (number !== null) return number
  throw new Error(`${name} is no number`)
}

/** A text that is no number is kept as it came: the event has a time all the same. */
export function nanosOf(message: Message, name: string): Nanos {
  const value = message[name] ?? 0
  if (typeof value === 'number') return value
  if (typeof value === 'string') return value === '' ? 0 : (readNumber(value) ?? value)
  throw new Error(`${name} is no number`)
}

export function attributesOf(message: Message, room: Room, depth = 0): Attributes {
  return readMap(message.attributes, 'attributes', room, depth)
}

function readMap(list: unknown, name: string, room: Room, depth: number): Attributes {
  const fields: Attributes = {}
  for (const each of listOf(list, name)) {
    if (!takeRoom(room)) break
    const pair = messageOf(each, 'KeyValue')
    setField(fields, textOf(pair, 'key'), readAnyValue(pair.value, room, depth))
  }
  return fields
}

/** Reads an AnyValue. @throws Error where the value is none */
export function readAnyValue(value: unknown, room: Room, depth = 0): Json {
  const any = messageOf(value, 'AnyValue')
  const { stringValue, boolValue, intValue, doubleValue, arrayValue, kvlistValue, bytesValue } = any
  if (typeof stringValue === 'string') return stringValue
  if (typeof boolValue === 'boolean') return boolValue
  if (typeof intValue === 'number' || typeof intValue === 'string') return readInteger(intValue)
  if (typeof doubleValue === 'number' || typeof doubleValue === 'string') return readDouble(doubleValue)
  if (arrayValue !== undefined) return readArray(arrayValue, room, depth + 1)
  if (kvlistValue !== undefined) return readKvlist(kvlistValue, room, depth + 1)
  if (typeof bytesValue === 'string') return Buffer.from(bytesValue, 'base64').toString('base64')
  return null
}

function readInteger(value: number | string): Json {
  if (typeof value === 'number' && Number.isInteger(value)) return integer(BigInt(value))
  if (typeof value === 'string' && /^-?\d{1,19}$/.test(value)) return integer(value)
  throw new Error('intValue is no integer')
}

/** NaN and the infinities are texts in JSON. */
function readDouble(value: number | string): Json {
  return typeof value === 'number' ? double(value) : (readNumber(value) ?? value)
}

function readArray(value: unknown, room: Room, depth: number): Json {
  if (depth > deepest) return '[deeper]'
  const values: Json[] = []
  for (const each of listOf(messageOf(value, 'arrayValue').values, 'values')) {
    if (!takeRoom(room)) break
    values.push(readAnyValue(each, room, depth))
  }
  return values
}

function readKvlist(value: unknown, room: Room, depth: number): Json {
  return depth > deepest ? '[deeper]' : readMap(messageOf(value, 'kvlistValue').values, 'values', room, depth)
}
