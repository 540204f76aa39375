import type { Attributes, Json } from '../../../shared/event.ts'
import { isObject, readNumber } from '../../../shared/read-value.ts'
import { setField } from '../../events/clean.ts'
import type { Nanos } from './model.ts'
import { double, integer, maxDepth, spendValue, type ValueBudget } from './values.ts'

/** A message in JSON. Unknown fields are ignored (https://protobuf.dev/programming-guides/json/). */
export type Message = Readonly<Record<string, unknown>>

/** Reads a message. A missing message or `null` counts as empty. @throws Error if the value is not an object */
export function messageOf(value: unknown, name: string): Message {
  if (value === undefined || value === null) return {}
  if (isObject(value)) return value
  throw new Error(`${name} is not an object`)
}

/** Reads a list. A missing list or `null` counts as empty. @throws Error if the value is not an array */
export function listOf(value: unknown, name: string): readonly unknown[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value
  throw new Error(`${name} is not an array`)
}

/** Reads text. Missing text counts as empty. @throws Error if the value is not text */
export function textOf(message: Message, name: string): string {
  const value = message[name] ?? ''
  if (typeof value === 'string') return value
  throw new Error(`${name} is not a string`)
}

/** Reads a number, or text that contains one (64-bit integers). @throws Error if the value is neither */
export function numberOf(message: Message, name: string): number {
  const value = message[name] ?? 0
  const number = typeof value === 'number' || typeof value === 'string' ? readNumber(value) : null
  if (number !== null) return number
  throw new Error(`${name} is not a number`)
}

/** Reads nanoseconds. Returns non-numeric text unchanged; the event then gets the observed time or the arrival time. */
export function nanosOf(message: Message, name: string): Nanos {
  const value = message[name] ?? 0
  if (typeof value === 'number') return value
  if (typeof value === 'string') return value === '' ? 0 : (readNumber(value) ?? value)
  throw new Error(`${name} is not a number`)
}

/** Reads the attributes of a message. */
export function attributesOf(message: Message, budget: ValueBudget, depth = 0): Attributes {
  return readMap(message.attributes, 'attributes', budget, depth)
}

function readMap(list: unknown, name: string, budget: ValueBudget, depth: number): Attributes {
  const fields: Attributes = {}
  for (const each of listOf(list, name)) {
    if (!spendValue(budget)) break
    const pair = messageOf(each, 'KeyValue')
    setField(fields, textOf(pair, 'key'), readAnyValue(pair.value, budget, depth))
  }
  return fields
}

/** Reads an AnyValue. @throws Error if the value is not an AnyValue */
export function readAnyValue(value: unknown, budget: ValueBudget, depth = 0): Json {
  const any = messageOf(value, 'AnyValue')
  const { stringValue, boolValue, intValue, doubleValue, arrayValue, kvlistValue, bytesValue } = any
  if (typeof stringValue === 'string') return stringValue
  if (typeof boolValue === 'boolean') return boolValue
  if (typeof intValue === 'number' || typeof intValue === 'string') return readInteger(intValue)
  if (typeof doubleValue === 'number' || typeof doubleValue === 'string') return readDouble(doubleValue)
  if (arrayValue !== undefined) return readArray(arrayValue, budget, depth + 1)
  if (kvlistValue !== undefined) return readKvlist(kvlistValue, budget, depth + 1)
  if (typeof bytesValue === 'string') return Buffer.from(bytesValue, 'base64').toString('base64')
  return null
}

/** OpenTelemetry's SDK for JavaScript also writes numbers that exceed 64 bits, such as `1e20`, as integers. */
function readInteger(value: number | string): Json {
  if (typeof value === 'number' && Number.isInteger(value)) return integer(BigInt(value))
  if (typeof value === 'string' && /^-?\d{1,400}$/.test(value)) return integer(value)
  throw new Error('intValue is not an integer')
}

/** NaN and the infinities are strings in JSON. */
function readDouble(value: number | string): Json {
  return typeof value === 'number' ? double(value) : (readNumber(value) ?? value)
}

function readArray(value: unknown, budget: ValueBudget, depth: number): Json {
  if (depth > maxDepth) return '[deeper]'
  const values: Json[] = []
  for (const each of listOf(messageOf(value, 'arrayValue').values, 'values')) {
    if (!spendValue(budget)) break
    values.push(readAnyValue(each, budget, depth))
  }
  return values
}

function readKvlist(value: unknown, budget: ValueBudget, depth: number): Json {
  return depth > maxDepth
    ? '[deeper]'
    : readMap(messageOf(value, 'kvlistValue').values, 'values', budget, depth)
}
