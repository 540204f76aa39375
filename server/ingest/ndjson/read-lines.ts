import { isObject } from '../../../shared/read-value.ts'
import { maxEvents } from '../collect-events.ts'
import { JsonCursor, type JsonSpan, JsonSyntaxError, sliceBytes } from '../json-cursor.ts'
import { invalidJson, maxRecordBytes, parseJson } from '../parse-json.ts'

/** The record in a line of a body. Line numbers start at 1. */
export type RecordLine = { line: number; record: object }
type ReadLine = RecordLine | { line: number; reason: string }

const lineFeed = 0x0a
const [openArray, openObject] = [0x5b, 0x7b]

/**
 * Reads the records of a body: one JSON object per line (NDJSON, with LF or CRLF; a byte order mark and empty lines are
 * ignored), a JSON array of objects, whose elements count as lines, or one JSON object over several lines. Invalid UTF-8
 * becomes U+FFFD, because a damaged line is better than a lost one. Yields `null` after every `sliceBytes`, so that the
 * caller can pause.
 */
export function* readLines(body: Buffer): Generator<ReadLine | null> {
  const start = yield* firstNonblank(body)
  if (body[start] === openArray && (yield* isComplete(body, start, 'elements'))) {
    yield* readElements(new JsonCursor(body, start))
  } else if (
    body[start] === openObject &&
    isFirstLineInvalid(body, start) &&
    (yield* isComplete(body, start, 'fields'))
  ) {
    yield readRecord(body, { start, end: body.length }, 1, 'object')
  } else yield* readEachLine(body)
}

/** Whether the first line is invalid, as in an object that spans several lines. */
function isFirstLineInvalid(body: Buffer, start: number): boolean {
  const end = body.indexOf(lineFeed, start)
  return end !== -1 && 'reason' in readRecord(body, { start, end }, 1, 'line')
}

/**
 * Whether the body is one complete array or object. Its values may be invalid. A body with more than `maxEvents` parts
 * counts as complete, because it is rejected anyway.
 */
function* isComplete(body: Buffer, start: number, parts: 'elements' | 'fields'): Generator<null, boolean> {
  const cursor = new JsonCursor(body, start)
  let count = 0
  try {
    for (const part of cursor[parts]()) {
      if (part === null) yield null
      else count += 1
      if (count > maxEvents) return true
    }
    return (yield* cursor.peek()) === -1
  } catch (error) {
    if (error instanceof JsonSyntaxError) return false
    throw error
  }
}

function* readElements(cursor: JsonCursor): Generator<ReadLine | null> {
  let line = 0
  for (const element of cursor.elements()) {
    if (element === null) {
      yield null
      continue
    }
    line += 1
    yield readRecord(cursor.bytes, yield* cursor.value(), line, 'element')
  }
}

function* readEachLine(body: Buffer): Generator<ReadLine | null> {
  let line = 1
  for (let from = 0; from < body.length; ) {
    const byte = body[from] ?? 0
    if (byte === lineFeed || isBlank(byte)) {
      // A body may have millions of empty lines, which must not delay other requests.
      if (from % sliceBytes === 0) yield null
      if (byte === lineFeed) line += 1
      from += 1
      continue
    }
    const end = body.indexOf(lineFeed, from)
    const to = end === -1 ? body.length : end
    yield readRecord(body, { start: from, end: to }, line, 'line')
    from = to
  }
}

type Kind = 'line' | 'element' | 'object'

const notAnObject: Record<Kind, string> = {
  line: 'The line is JSON, but not an object',
  element: 'The element is not a JSON object',
  object: 'The body is not a JSON object',
}

function readRecord(body: Buffer, span: JsonSpan, line: number, kind: Kind): ReadLine {
  const { start, end } = span
  if (end - start > maxRecordBytes) {
    return { line, reason: `The ${kind} is longer than ${maxRecordBytes} bytes` }
  }
  const record = parseJson(body, span)
  if (isObject(record)) return { line, record }
  if (record !== undefined) return { line, reason: notAnObject[kind] }
  const isArray = body.subarray(start, end).find(byte => !isBlank(byte)) === openArray
  const reason = isArray ? `The array is incomplete, ${invalidJson()}` : `The ${kind} is ${invalidJson()}`
  return { line, reason }
}

/** Returns the index of the first nonblank byte, or the length. */
function* firstNonblank(body: Buffer): Generator<null, number> {
  let index = 0
  for (; index < body.length && isBlank(body[index] ?? 0); index += 1) {
    if (index % sliceBytes === 0) yield null
  }
  return index
}

/** White space, or part of a byte order mark. */
function isBlank(byte: number): boolean {
  return byte <= 0x20 || byte === 0xef || byte === 0xbb || byte === 0xbf
}
