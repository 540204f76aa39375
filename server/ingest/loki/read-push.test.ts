/** Tests the parsing of valid and malformed pushes in JSON and protobuf. */
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import fc from 'fast-check'
import t from 'tap'
import { anyCharacter } from '../../../shared/testing/any-character.ts'
import { HttpError } from '../../http/http-error.ts'
import { withoutPauses } from '../../testing/pauses.ts'
import { maxEvents } from '../collect-events.ts'
import { sliceBytes } from '../json-cursor.ts'
import { maxRecordBytes } from '../parse-json.ts'
import type { Stream } from './push.ts'
import { readJsonPush } from './read-json.ts'
import { maxEntryFields, readProtobufPush } from './read-protobuf.ts'
import { message, type Push, protobufOf, text } from './testing.ts'

const readJson = (push: unknown) => whole(readJsonPush(Buffer.from(JSON.stringify(push))))
const whole = (streams: Iterable<Stream | null>) =>
  withoutPauses(streams).map(({ labels, entries }) => ({ labels, entries: [...entries] }))

/** Returns the status of the HttpError that is thrown, or `null`. */
function statusOf(read: () => unknown): number | null {
  try {
    read()
    return null
  } catch (error) {
    if (error instanceof HttpError) return error.statusCode
    throw error
  }
}

const time = '1763717415123456789'

t.test('the JSON and protobuf forms of a push produce the same entries', async t => {
  const push: Push = {
    streams: [
      { stream: { app: 'shop', note: 'a "quote"' }, values: [[time, 'one', { trace_id: 'x' }]] },
      {
        stream: {},
        values: [
          [time, ''],
          ['-1', 'before'],
        ],
      },
      { stream: { app: 'empty' }, values: [] },
    ],
  }
  const read = readJson(push)
  t.same(read, [
    {
      labels: { app: 'shop', note: 'a "quote"' },
      entries: [{ timeUnixNano: time, line: 'one', metadata: { trace_id: 'x' } }],
    },
    {
      labels: {},
      entries: [
        { timeUnixNano: time, line: '', metadata: null },
        { timeUnixNano: '-1', line: 'before', metadata: null },
      ],
    },
    { labels: { app: 'empty' }, entries: [] },
  ])
  t.same(whole(readProtobufPush(protobufOf(push))), read)
})

const name = fc.stringMatching(/^[a-z_]{1,8}$/)
const texts = (maxKeys: number) =>
  fc.dictionary(name, fc.string({ unit: anyCharacter }), { maxKeys, noNullPrototype: true })
const nanoseconds = fc.bigInt({ min: 0n, max: 2n ** 62n }).map(String)
const value = fc.oneof(
  fc.tuple(nanoseconds, fc.string()),
  fc.tuple(
    nanoseconds,
    fc.string(),
    texts(3).filter(given => Object.keys(given).length > 0),
  ),
)
const pushes: fc.Arbitrary<Push> = fc.record({
  streams: fc.array(fc.record({ stream: texts(4), values: fc.array(value, { maxLength: 4 }) }), {
    maxLength: 4,
  }),
})

t.test('property: JSON and protobuf produce the same entries', async () => {
  fc.assert(
    fc.property(pushes, push => {
      const sorted = (streams: unknown) =>
        JSON.stringify(streams, (_key, each) =>
          typeof each === 'object' && each !== null && !Array.isArray(each)
            ? Object.fromEntries(Object.entries(each).toSorted())
            : each,
        )
      return sorted(readJson(push)) === sorted(whole(readProtobufPush(protobufOf(push))))
    }),
  )
})

t.test('property: any bytes are parsed or rejected', async () => {
  const flips = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { maxLength: 6 })
  const mutated = (write: (push: Push) => Buffer) =>
    fc.tuple(pushes, flips, fc.nat({ max: 10 })).map(([push, places, cut]) => {
      const bytes = write(push)
      for (const [at, byte] of places) if (bytes.length > 0) bytes[at % bytes.length] = byte
      return bytes.subarray(0, Math.max(0, bytes.length - cut))
    })
  const readers = [
    [readJsonPush, (push: Push) => Buffer.from(JSON.stringify(push))],
    [readProtobufPush, protobufOf],
  ] as const
  for (const [read, write] of readers) {
    const bytes = fc.oneof(fc.uint8Array({ maxLength: 200 }).map(Buffer.from), mutated(write))
    fc.assert(
      fc.property(bytes, body => {
        try {
          return Array.isArray(whole(read(body)))
        } catch (error) {
          return error instanceof HttpError
        }
      }),
      { numRuns: 1000 },
    )
  }
})

t.test('JSON: invalid entries are reported and do not affect the others', async t => {
  const values = [[time, 'one'], 'two', [time], [null, 'x'], [1763717415, { msg: 'opened' }]]
  t.same(readJson({ streams: [{ stream: { app: 'shop' }, values }, 7, { stream: { app: 'x' } }] }), [
    {
      labels: { app: 'shop' },
      entries: [
        { timeUnixNano: time, line: 'one', metadata: null },
        { reason: 'entry 2 of stream 1 is not a [time, line] pair' },
        { reason: 'entry 3 of stream 1 is not a [time, line] pair' },
        { reason: 'entry 4 of stream 1 is not a [time, line] pair' },
        { timeUnixNano: '1763717415', line: '{"msg":"opened"}', metadata: null },
      ],
    },
    { labels: {}, entries: [{ reason: 'stream 2 has no list of values' }] },
    { labels: {}, entries: [{ reason: 'stream 3 has no list of values' }] },
  ])
})

t.test('JSON: reports entries and labels that are invalid, too deeply nested or too long', async t => {
  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
  const long = JSON.stringify([time, 'x'.repeat(maxRecordBytes)])
  const body = `{"streams":[{"values":[["${time}",],${deep},${long},["${time}","one"]]},{"stream":NaN,"values":[]},${deep}]}`
  t.match(whole(readJsonPush(Buffer.from(body))), [
    { entries: [{ reason: /not JSON/ }, { reason: /not JSON/ }, { reason: /longer than/ }, { line: 'one' }] },
    { entries: [{ reason: /^the labels of stream 2 are not JSON/ }] },
    { entries: [{ reason: /no list/ }] },
  ])
})

t.test('JSON: limits the number of entries in one stream', async t => {
  const entries = Array.from({ length: maxEvents + 1 }, () => '[]').join(',')
  t.equal(
    statusOf(() => whole(readJsonPush(Buffer.from(`{"streams":[{"values":[${entries}]}]}`)))),
    413,
  )
})

t.test('JSON: labels may follow their entries', async t => {
  const body = `\ufeff{"streams":[{"values":[["${time}","one"]],"\\u0073tream":{"app":"shop"}}]}`
  t.match(whole(readJsonPush(Buffer.from(body))), [{ labels: { app: 'shop' }, entries: [{ line: 'one' }] }])
})

t.test('rejects a body that is not a push', async t => {
  for (const body of [
    '',
    '{',
    '[]',
    '{}',
    '7',
    'null',
    '{"streams":[}',
    '{"streams":[]}{}',
    '{"streams":[{"values":[["1","a"]}]}',
  ])
    t.equal(
      statusOf(() => whole(readJsonPush(Buffer.from(body)))),
      400,
      body.slice(0, 40),
    )
  const push = protobufOf({ streams: [{ stream: { app: 'shop' }, values: [[time, 'one']] }] })
  const broken = [push.subarray(0, -1), push.subarray(1), Buffer.from('{"streams":[]}'), Buffer.of(0x0b)]
  for (const body of broken)
    t.equal(
      statusOf(() => whole(readProtobufPush(body))),
      400,
      body.toString('latin1'),
    )
})

t.test('protobuf: fields may be in any order, and unknown fields are skipped', async t => {
  const writer = new BinaryWriter()
  text(writer, 2, 'format')
  writer.tag(9, WireType.Bit64).fixed64(1)
  message(writer, 1, () => {
    message(writer, 2, () => {
      text(writer, 9, 'later')
      text(writer, 2, 'one')
      writer.tag(4, WireType.LengthDelimited).fork()
      text(writer, 2, 'value')
      text(writer, 1, 'parsed')
      writer.join()
    })
    text(writer, 1, '{app="shop"}')
  })
  t.same(whole(readProtobufPush(Buffer.from(writer.finish()))), [
    { labels: { app: 'shop' }, entries: [{ timeUnixNano: '0', line: 'one', metadata: { parsed: 'value' } }] },
  ])
})

t.test('protobuf: known fields with the wrong wire type are skipped', async t => {
  const writer = new BinaryWriter()
  writer.tag(1, WireType.Varint).uint32(7)
  message(writer, 1, () => {
    writer.tag(1, WireType.Bit32).fixed32(7)
    writer.tag(2, WireType.Bit64).fixed64(7)
    message(writer, 2, () => {
      for (const field of [1, 2, 3, 4]) writer.tag(field, WireType.Varint).uint32(7)
      message(writer, 1, () => {
        text(writer, 1, 'seconds')
        writer.tag(2, WireType.Bit32).fixed32(7)
      })
      message(writer, 3, () => {
        for (const field of [1, 2]) writer.tag(field, WireType.Bit64).fixed64(7)
        text(writer, 1, 'name')
      })
      text(writer, 2, 'one')
    })
  })
  t.same(whole(readProtobufPush(Buffer.from(writer.finish()))), [
    { labels: {}, entries: [{ timeUnixNano: '0', line: 'one', metadata: { name: '' } }] },
  ])
})

t.test('protobuf: a message that is longer than its parent is rejected', async t => {
  // A stream, an entry, a timestamp, a line and a pair that end in the unknown fields after the stream.
  const unknown = '50005000'
  for (const hex of ['0a01', '0a021202', '0a0412020a01', '0a0412021201', '0a0412021a01']) {
    const body = Buffer.from(hex + unknown, 'hex')
    t.equal(
      statusOf(() => whole(readProtobufPush(body))),
      400,
      hex,
    )
  }
})

t.test('protobuf: preserves a byte order mark and replaces invalid UTF-8', async t => {
  const writer = new BinaryWriter()
  message(writer, 1, () => {
    message(writer, 2, () => {
      writer.tag(2, WireType.LengthDelimited).bytes(Buffer.of(0xef, 0xbb, 0xbf, 0x61, 0xff))
    })
  })
  const [stream] = whole(readProtobufPush(Buffer.from(writer.finish())))
  t.match(stream?.entries, [{ line: '\ufeffa\ufffd' }])
})

t.test('protobuf: limits the number of entries in one stream', async t => {
  const entry = Buffer.of(0x12, 0)
  const entries = Buffer.alloc((maxEvents + 1) * 2, entry)
  const length = new BinaryWriter().uint32(entries.length).finish()
  const body = Buffer.concat([Buffer.of(0x0a), length, entries])
  t.equal(
    statusOf(() => whole(readProtobufPush(body))),
    413,
  )
})

t.test('protobuf: pauses while skipping unknown fields, inside and outside a stream', async t => {
  const unknown = Buffer.alloc(3 * sliceBytes, Buffer.of(0x50, 0))
  const length = new BinaryWriter().uint32(unknown.length).finish()
  for (const body of [unknown, Buffer.concat([Buffer.of(0x0a), length, unknown])]) {
    const pauses = [...readProtobufPush(body)].filter(each => each === null).length
    t.ok(pauses >= 2, `${pauses} pauses`)
  }
})

t.test('protobuf: an entry with too many fields is reported and does not affect the others', async t => {
  const pairs = Object.fromEntries(Array.from({ length: maxEntryFields }, (_, index) => [`k${index}`, 'v']))
  const push = protobufOf({
    streams: [
      {
        stream: {},
        values: [
          [time, 'many', pairs],
          [time, 'one'],
        ],
      },
    ],
  })
  t.match(whole(readProtobufPush(push)), [
    { entries: [{ reason: /^entry 1 of stream 1 has more than/ }, { line: 'one' }] },
  ])
})

t.test('protobuf: rejects groups, which cannot be skipped in pieces', async t => {
  t.equal(
    statusOf(() => whole(readProtobufPush(Buffer.of(0x43, 0x50, 0, 0x44)))),
    400,
  )
})
