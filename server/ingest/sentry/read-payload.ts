import type { Attributes, Json } from '../../../shared/event.ts'
import { isObject } from '../../../shared/read-value.ts'
import { JsonCursor, JsonSyntaxError } from '../json-cursor.ts'
import { invalidJson, maxJsonValues, maxRecordBytes, parseJson } from '../parse-json.ts'

/** SDKs send up to 2,000 frames after deep recursion, each with source lines and variables. */
const exceptionLimits = { bytes: 4 * maxRecordBytes, values: 100_000 }
const limits = { bytes: maxRecordBytes, values: maxJsonValues }

/**
 * Reads some fields of a JSON object and skips the others, such as the spans of a transaction (up to a thousand). Yields
 * `null` where the caller can pause.
 * @param details fields that are replaced with a note if they are invalid or too large
 * @throws Error if the payload is not a JSON object, or another field is invalid or too large
 */
export function* readFields(
  payload: Buffer,
  names: ReadonlySet<string>,
  details?: ReadonlySet<string>,
): Generator<null, Attributes> {
  const cursor = new JsonCursor(payload)
  const fields: Attributes = {}
  for (const field of cursor.fields()) {
    if (field === null) yield null
    if (field === null || !names.has(field.name)) continue
    const value = yield* readValue(cursor, field.name)
    if (!(value instanceof Error)) fields[field.name] = value
    else if (details?.has(field.name)) fields[field.name] = { '…': `[${value.message}]` }
    else throw value
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
  const value = yield* readValue(cursor, 'The item')
  return value instanceof Error || isObject(value) ? value : new Error('The item is not a JSON object')
}

/** Returns an `Error` if the value is invalid or too large. */
function* readValue(cursor: JsonCursor, name: string): Generator<null, Json | Error> {
  const span = yield* cursor.value()
  const { bytes, values } = name === 'exception' ? exceptionLimits : limits
  if (span.end - span.start > bytes) return new Error(`${name} is longer than ${bytes} bytes`)
  const value = parseJson(cursor.bytes, span, values)
  return value === undefined ? new Error(`${name} is ${invalidJson(values)}`) : value
}
