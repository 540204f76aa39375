import type { Attributes, Json } from '../../../shared/event.ts'
import { isObject } from '../../../shared/read-value.ts'
import { JsonCursor, JsonSyntaxError } from '../json-cursor.ts'
import { invalidJson, maxRecordBytes, parseJson } from '../parse-json.ts'

/**
 * Reads some fields of a JSON object and skips the others, such as the spans of a transaction (up to a thousand). Yields
 * `null` where the caller can pause.
 * @throws Error if the payload is not a JSON object, or a field is too large
 */
export function* readFields(payload: Buffer, names: ReadonlySet<string>): Generator<null, Attributes> {
  const cursor = new JsonCursor(payload)
  const fields: Attributes = {}
  for (const field of cursor.fields()) {
    if (field === null) yield null
    else if (names.has(field.name)) fields[field.name] = yield* readValue(cursor, field.name)
  }
  if ((yield* cursor.peek()) !== -1) throw new JsonSyntaxError()
  return fields
}

/**
 * Reads the elements of the `items` field, one at a time. An element that cannot be read becomes an `Error`.
 * Yields `null` where the caller can pause.
 * @throws Error if the payload is not a JSON object, or `items` is not a list
 */
export function* readItems(payload: Buffer): Generator<Attributes | Error | null> {
  const cursor = new JsonCursor(payload)
  for (const field of cursor.fields()) {
    if (field?.name !== 'items') {
      if (field === null) yield null
      continue
    }
    for (const element of cursor.elements()) {
      if (element === null) yield null
      else yield yield* readElement(cursor)
    }
  }
  if ((yield* cursor.peek()) !== -1) throw new JsonSyntaxError()
}

function* readElement(cursor: JsonCursor): Generator<null, Attributes | Error> {
  try {
    const value = yield* readValue(cursor, 'The item')
    return isObject(value) ? value : new Error('The item is not a JSON object')
  } catch (error) {
    if (error instanceof JsonSyntaxError || !(error instanceof Error)) throw error
    return error
  }
}

function* readValue(cursor: JsonCursor, name: string): Generator<null, Json> {
  const span = yield* cursor.value()
  if (span.end - span.start > maxRecordBytes)
    throw new Error(`${name} is longer than ${maxRecordBytes} bytes`)
  const value = parseJson(cursor.bytes, span)
  if (value === undefined) throw new Error(`${name} is ${invalidJson}`)
  return value
}
