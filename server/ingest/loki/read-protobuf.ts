import { BinaryReader, WireType } from '@bufbuild/protobuf/wire'
import { HttpError } from '../../http/http-error.ts'
import { maxEvents, tooMany } from '../collect-events.ts'
import { pieceBytes } from '../json-cursor.ts'
import { maxJsonValues } from '../parse-json.ts'
import { readLabels } from './labels.ts'
import type { Entry, Stream } from './push.ts'

/** Maximum number of fields in one entry, including unknown fields. Reading more would block other requests for too long. */
export const maxEntryFields = maxJsonValues

/**
 * Reads a decompressed push in protobuf: `logproto.PushRequest`
 * (https://github.com/grafana/loki/blob/main/pkg/push/push.proto). Unknown fields are skipped, and invalid UTF-8 becomes
 * U+FFFD. Yields `null` after every `pieceBytes`, so that the caller can pause.
 * @throws HttpError if the body is not a push
 */
export function* readProtobufPush(body: Buffer): Generator<Stream | null> {
  const reader = new BinaryReader(body, textOf)
  let index = 0
  let pauseAt = pieceBytes
  while (reader.pos < body.length) {
    if (reader.pos >= pauseAt) {
      pauseAt = reader.pos + pieceBytes
      yield null
    }
    const end = orInvalid(() => enterStream(reader))
    if (end === null) continue
    index += 1
    const { labels, entriesAt } = yield* findEntries(reader, end)
    yield { labels: readLabels(labels), entries: readEntries(reader, entriesAt, `stream ${index}`) }
    reader.pos = end
  }
}

/** If the next field is a stream, returns the stream's end position. Skips any other field and returns `null`. */
function enterStream(reader: BinaryReader): number | null {
  const [field, type] = reader.tag()
  if (field === 1 && type === WireType.LengthDelimited) return endOfMessage(reader)
  skip(reader, field, type)
  return null
}

type StreamParts = { labels: string; entriesAt: number[] }

/** Records only the positions of a stream's entries, because its labels may follow them. */
function* findEntries(reader: BinaryReader, end: number): Generator<null, StreamParts> {
  const parts: StreamParts = { labels: '', entriesAt: [] }
  while (reader.pos < end) {
    const pauseAt = Math.min(end, reader.pos + pieceBytes)
    orInvalid(() => {
      while (reader.pos < pauseAt) readStreamField(reader, parts)
    })
    yield null
  }
  if (reader.pos > end) throw notAPush()
  return parts
}

function readStreamField(reader: BinaryReader, parts: StreamParts): void {
  const [field, type] = reader.tag()
  if (field === 1 && type === WireType.LengthDelimited) parts.labels = reader.string()
  else {
    if (field === 2 && type === WireType.LengthDelimited && parts.entriesAt.push(reader.pos) > maxEvents) {
      throw tooMany('entries')
    }
    skip(reader, field, type)
  }
}

function* readEntries(reader: BinaryReader, places: readonly number[], stream: string): Generator<Entry> {
  for (const [index, place] of places.entries()) {
    reader.pos = place
    const entry = orInvalid(() => readEntry(reader))
    const reason = `entry ${index + 1} of ${stream} has more than ${maxEntryFields} fields`
    yield entry ?? { reason }
  }
}

type ReadField = (field: number, type: WireType) => void

/** Returns `null` if the entry has too many fields. */
function readEntry(reader: BinaryReader): Entry | null {
  let fieldsLeft = maxEntryFields
  let time = { seconds: 0n, nanos: 0 }
  let line = ''
  const metadata: [string, string][] = []
  const readMessage = (readField: ReadField) => {
    const end = endOfMessage(reader)
    for (; reader.pos < end && fieldsLeft > 0; fieldsLeft -= 1) readField(...reader.tag())
    if (reader.pos > end) throw new RangeError('A field is longer than its message')
  }
  /** `google.protobuf.Timestamp` */
  const readTimestamp = () =>
    readMessage((field, type) => {
      if (field === 1 && type === WireType.Varint) time.seconds = BigInt(reader.int64())
      else if (field === 2 && type === WireType.Varint) time.nanos = reader.int32()
      else skip(reader, field, type)
    })
  const readPair = () => {
    const pair: [string, string] = ['', '']
    readMessage((field, type) => {
      if (field === 1 && type === WireType.LengthDelimited) pair[0] = reader.string()
      else if (field === 2 && type === WireType.LengthDelimited) pair[1] = reader.string()
      else skip(reader, field, type)
    })
    metadata.push(pair)
  }
  readMessage((field, type) => {
    if (type !== WireType.LengthDelimited) skip(reader, field, type)
    else if (field === 1) {
      time = { seconds: 0n, nanos: 0 }
      readTimestamp()
    } else if (field === 2) line = reader.string()
    // Structured metadata, and fields that an agent parsed from the line.
    else if (field === 3 || field === 4) readPair()
    else skip(reader, field, type)
  })
  if (fieldsLeft <= 0) return null
  return {
    timeUnixNano: String(time.seconds * 1_000_000_000n + BigInt(time.nanos)),
    line,
    metadata: metadata.length === 0 ? null : Object.fromEntries(metadata),
  }
}

/** Enters a length-delimited message. Returns its end position. */
function endOfMessage(reader: BinaryReader): number {
  const length = reader.uint32()
  const end = reader.pos + length
  if (end > reader.len) throw new RangeError('A message is longer than its parent')
  return end
}

/** Skips a field. Rejects groups, which are obsolete and slow to skip, because they have no length. */
function skip(reader: BinaryReader, field: number, type: WireType): void {
  if (type === WireType.StartGroup) throw new RangeError('Groups are not supported')
  reader.skip(type, field)
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

// For short text, this is several times faster than TextDecoder.
function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
}
