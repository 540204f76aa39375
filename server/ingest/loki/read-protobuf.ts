import { WireType } from '@bufbuild/protobuf/wire'
import { HttpError } from '../../http/http-error.ts'
import { maxEvents, tooMany } from '../collect-events.ts'
import { sliceBytes } from '../json-cursor.ts'
import { maxJsonValues } from '../parse-json.ts'
import { ProtoReader } from '../proto-reader.ts'
import { readLabels } from './labels.ts'
import type { Entry, Stream } from './push.ts'

/** Maximum number of fields in one entry, including unknown fields. Reading more would block other requests for too long. */
export const maxEntryFields = maxJsonValues

/**
 * Reads a decompressed push in protobuf: `logproto.PushRequest`
 * (https://github.com/grafana/loki/blob/main/pkg/push/push.proto). Unknown fields are skipped, and invalid UTF-8 becomes
 * U+FFFD. Yields `null` after every `sliceBytes`, so that the caller can pause.
 * @throws HttpError if the body is not a push
 */
export function* readProtobufPush(body: Buffer): Generator<Stream | null> {
  const input = new ProtoReader(body)
  let index = 0
  let pauseAt = sliceBytes
  while (input.position < body.length) {
    if (input.position >= pauseAt) {
      pauseAt = input.position + sliceBytes
      yield null
    }
    // Outside the entries, only the size of the body limits the number of fields.
    input.fieldsLeft = body.length
    const end = orInvalid(() => enterStream(input, body.length))
    if (end === null) continue
    index += 1
    const { labels, entries } = yield* findEntries(input, end)
    yield { labels: readLabels(labels), entries: readEntries(input, entries, `stream ${index}`) }
    input.position = end
  }
}

/** If the next field is a stream, returns the stream's end position. Skips any other field and returns `null`. */
function enterStream(input: ProtoReader, bodyEnd: number): number | null {
  if (input.next(bodyEnd) !== 1 || !isDelimited(input)) {
    input.skip()
    return null
  }
  const end = input.message()
  if (end > bodyEnd) throw notAPush()
  return end
}

type Span = { start: number; end: number }
type StreamParts = { labels: string; entries: Span[] }

/** Records only the positions of a stream's entries, because its labels may follow them. */
function* findEntries(input: ProtoReader, end: number): Generator<null, StreamParts> {
  const parts: StreamParts = { labels: '', entries: [] }
  while (input.position < end) {
    const pauseAt = Math.min(end, input.position + sliceBytes)
    orInvalid(() => {
      while (input.position < pauseAt) readStreamField(input, end, parts)
    })
    yield null
  }
  if (input.position > end) throw notAPush()
  return parts
}

function readStreamField(input: ProtoReader, streamEnd: number, parts: StreamParts): void {
  const field = input.next(streamEnd)
  if (field === 1 && isDelimited(input)) parts.labels = input.string()
  else if (field === 2 && isDelimited(input)) {
    const end = input.message()
    if (parts.entries.push({ start: input.position, end }) > maxEvents) throw tooMany('entries')
    input.position = end
  } else input.skip()
}

function* readEntries(input: ProtoReader, spans: readonly Span[], stream: string): Generator<Entry> {
  for (const [index, { start, end }] of spans.entries()) {
    input.position = start
    input.fieldsLeft = maxEntryFields
    const entry = orInvalid(() => readEntry(input, end))
    const reason = `entry ${index + 1} of ${stream} has more than ${maxEntryFields} fields`
    yield entry ?? { reason }
  }
}

/** Returns `null` if the entry has too many fields. */
function readEntry(input: ProtoReader, end: number): Entry | null {
  let timeUnixNano = 0n
  let line = ''
  const metadata: [string, string][] = []
  try {
    for (let field = input.next(end); field !== 0; field = input.next(end)) {
      if (!isDelimited(input)) input.skip()
      else if (field === 1) timeUnixNano = readTimestamp(input, input.message())
      else if (field === 2) line = input.string()
      // Structured metadata, and fields that an agent parsed from the line.
      else if (field === 3 || field === 4) metadata.push(readPair(input, input.message()))
      else input.skip()
    }
  } catch (error) {
    if (input.fieldsLeft < 0) return null
    throw error
  }
  return {
    timeUnixNano: String(timeUnixNano),
    line,
    metadata: metadata.length === 0 ? null : Object.fromEntries(metadata),
  }
}

/** Reads a `google.protobuf.Timestamp`. Returns nanoseconds. */
function readTimestamp(input: ProtoReader, end: number): bigint {
  let [seconds, nanos] = [0n, 0]
  for (let field = input.next(end); field !== 0; field = input.next(end)) {
    const isVarint = input.wireType === WireType.Varint
    if (field === 1 && isVarint) seconds = BigInt(input.int64())
    else if (field === 2 && isVarint) nanos = input.int32()
    else input.skip()
  }
  return seconds * 1_000_000_000n + BigInt(nanos)
}

function readPair(input: ProtoReader, end: number): [string, string] {
  const pair: [string, string] = ['', '']
  for (let field = input.next(end); field !== 0; field = input.next(end)) {
    if (field === 1 && isDelimited(input)) pair[0] = input.string()
    else if (field === 2 && isDelimited(input)) pair[1] = input.string()
    else input.skip()
  }
  return pair
}

/** Whether the current field is text or a message. Known fields with another wire type are skipped. */
function isDelimited(input: ProtoReader): boolean {
  return input.wireType === WireType.LengthDelimited
}

function orInvalid<Value>(read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    if (error instanceof HttpError) throw error
    throw notAPush()
  }
}

function notAPush(): HttpError {
  return new HttpError(400, 'The body is incomplete, or not a logproto.PushRequest')
}
