import { BinaryReader, WireType } from '@bufbuild/protobuf/wire'
import { HttpError } from '../../http/http-error.ts'
import { maxEvents, tooMany } from '../collect-events.ts'
import { readLabels } from './labels.ts'
import type { Entry, Stream } from './push.ts'

/**
 * Reads a decompressed push in protobuf: `logproto.PushRequest`
 * (https://github.com/grafana/loki/blob/main/pkg/push/push.proto). Unknown fields are skipped, and invalid UTF-8 becomes
 * U+FFFD.
 * @throws HttpError if the body is not a push
 */
export function* readProtobufPush(body: Buffer): Generator<Stream> {
  const reader = new BinaryReader(body, textOf)
  while (reader.pos < body.length) {
    const stream = orInvalid(() => readStreamField(reader))
    if (stream === null) continue
    const after = reader.pos
    yield { labels: readLabels(stream.labels), entries: readEntries(reader, stream.entriesAt) }
    reader.pos = after
  }
}

type Found = { labels: string; entriesAt: number[] }

/** Reads the next field if it is a stream. Records only the positions of its entries, because its labels may follow them. */
function readStreamField(reader: BinaryReader): Found | null {
  const [field, type] = reader.tag()
  if (field !== 1 || type !== WireType.LengthDelimited) {
    reader.skip(type, field)
    return null
  }
  const found: Found = { labels: '', entriesAt: [] }
  readMessage(reader, (inner, innerType) => {
    if (inner === 1 && innerType === WireType.LengthDelimited) found.labels = reader.string()
    else if (inner === 2 && innerType === WireType.LengthDelimited) {
      if (found.entriesAt.push(reader.pos) > maxEvents) throw tooMany('entries')
      reader.skip(innerType, inner)
    } else reader.skip(innerType, inner)
  })
  return found
}

function* readEntries(reader: BinaryReader, places: readonly number[]): Generator<Entry> {
  for (const place of places) {
    reader.pos = place
    yield orInvalid(() => readEntry(reader))
  }
}

function readEntry(reader: BinaryReader): Entry {
  let time = { seconds: 0n, nanos: 0 }
  let line = ''
  const metadata: [string, string][] = []
  readMessage(reader, (field, type) => {
    if (type !== WireType.LengthDelimited) reader.skip(type, field)
    else if (field === 1) time = readTimestamp(reader)
    else if (field === 2) line = reader.string()
    // Structured metadata, and fields that an agent parsed from the line.
    else if (field === 3 || field === 4) metadata.push(readPair(reader))
    else reader.skip(type, field)
  })
  return {
    timeUnixNano: String(time.seconds * 1_000_000_000n + BigInt(time.nanos)),
    line,
    metadata: metadata.length === 0 ? null : Object.fromEntries(metadata),
  }
}

/** `google.protobuf.Timestamp` */
function readTimestamp(reader: BinaryReader): { seconds: bigint; nanos: number } {
  const time = { seconds: 0n, nanos: 0 }
  readMessage(reader, (field, type) => {
    if (field === 1 && type === WireType.Varint) time.seconds = BigInt(reader.int64())
    else if (field === 2 && type === WireType.Varint) time.nanos = reader.int32()
    else reader.skip(type, field)
  })
  return time
}

function readPair(reader: BinaryReader): [string, string] {
  const pair: [string, string] = ['', '']
  readMessage(reader, (field, type) => {
    if (field === 1 && type === WireType.LengthDelimited) pair[0] = reader.string()
    else if (field === 2 && type === WireType.LengthDelimited) pair[1] = reader.string()
    else reader.skip(type, field)
  })
  return pair
}

/** Reads a length-delimited message. */
function readMessage(reader: BinaryReader, readField: (field: number, type: WireType) => void): void {
  const length = reader.uint32()
  const end = reader.pos + length
  if (end > reader.len) throw new RangeError('A message is longer than its parent')
  while (reader.pos < end) readField(...reader.tag())
  if (reader.pos > end) throw new RangeError('A field is longer than its message')
}

function orInvalid<Value>(read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    if (error instanceof HttpError) throw error
    throw new HttpError(400, 'The body is incomplete, or not a logproto.PushRequest')
  }
}

// Several times faster than TextDecoder for short text.
function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
}
