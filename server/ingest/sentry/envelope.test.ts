import fc from 'fast-check'
import t from 'tap'
import { HttpError } from '../../http/http-error.ts'
import { withoutPauses } from '../../testing/pauses.ts'
import { sliceBytes } from '../json-cursor.ts'
import { readEnvelopeItems, readEnvelopeStart } from './envelope.ts'

type Bytes = string | Buffer

/** Returns the header, and each item's type and payload. */
function read(body: Bytes) {
  const bytes = Buffer.from(body)
  const { header, itemsStart } = readEnvelopeStart(bytes)
  const items = withoutPauses(readEnvelopeItems(bytes, itemsStart))
  return {
    header,
    items: items.map(({ type, payload }) => [type, bytes.toString('utf8', payload.start, payload.end)]),
  }
}

/** Returns the status of the rejection, or `null` if the body is an envelope. */
function statusOf(body: Bytes): number | null {
  try {
    read(body)
    return null
  } catch (error) {
    if (error instanceof HttpError) return error.statusCode
    throw error
  }
}

t.test('reads items with and without a length', async t => {
  const cases: [string, string[][]][] = [
    ['{}', []],
    ['{}\n', []],
    ['{}\n\n\n', []],
    ['{}\n{"type":"event"}\n{"a":1}', [['event', '{"a":1}']]],
    ['{}\n{"type":"event"}\n{"a":1}\n', [['event', '{"a":1}']]],
    ['{}\n{"type":"event","length":7}\n{"a":1}', [['event', '{"a":1}']]],
    ['{}\n{"type":"event","length":7}\n{"a":1}\n\n', [['event', '{"a":1}']]],
    ['{}\n{"type":"event","length":null}\n{"a":1}', [['event', '{"a":1}']]],
    [
      '{}\n{"type":"a"}\n1\n{"type":"b"}\n2',
      [
        ['a', '1'],
        ['b', '2'],
      ],
    ],
    [
      '{}\n{"type":"a","length":1}\n1\n\n\n{"type":"b"}\n2\n',
      [
        ['a', '1'],
        ['b', '2'],
      ],
    ],
    [
      '{}\n{"type":"attachment","length":3}\na\nb\n{"type":"b"}\n2',
      [
        ['attachment', 'a\nb'],
        ['b', '2'],
      ],
    ],
    [
      '{}\n{"type":"attachment","length":0}\n\n{"type":"b"}\n2',
      [
        ['attachment', ''],
        ['b', '2'],
      ],
    ],
    [
      '{}\n{"type":"a"}\n\n{"type":"b"}\n2',
      [
        ['a', ''],
        ['b', '2'],
      ],
    ],
    ['{}\n{"type":"a","length":0}', [['a', '']]],
    ['{}\n{"type":"a"}', [['a', '']]],
    ['{}\n{"type":"a","length":2}\né', [['a', 'é']]],
    [
      '{}\n{"type":"a"}\n{"b":1}\r\n{"type":"b"}\r\n2',
      [
        ['a', '{"b":1}\r'],
        ['b', '2'],
      ],
    ],
  ]
  for (const [body, items] of cases) t.same(read(body).items, items, JSON.stringify(body))
  t.same(read('{"sent_at":"2026-11-21T12:00:00Z"}\n').header, { sent_at: '2026-11-21T12:00:00Z' })
})

t.test('the content type determines whether an item is a list', async t => {
  const types: [unknown, boolean][] = [
    ['application/vnd.sentry.items.log+json', true],
    ['application/vnd.sentry.items.span.v2+json', true],
    ['application/json', false],
    [7, false],
    [undefined, false],
  ]
  for (const [content_type, isList] of types) {
    const body = Buffer.from(`{}\n${JSON.stringify({ type: 'log', content_type })}\n{}`)
    t.match([...readEnvelopeItems(body, 3)], [{ isList }], String(content_type))
  }
})

t.test('rejects bodies that are not envelopes', async t => {
  const bodies = [
    ...['', '\n', '[]', 'null', '7', '"x"', '{', '{}}', '\n{}\n', '{"a":1}{"type":"event"}'],
    ...['{}\n{}\n{}', '{}\n[]\n{}', '{}\n{"type":7}\n{}', '{}\nevent\n{}', '{}\n{"type":null}\n{}'],
    '{}\n{"type":"event","length":6}\n{"a":1}',
    '{}\n{"type":"event","length":8}\n{"a":1}',
    '{}\n{"type":"event","length":-1}\n{"a":1}',
    '{}\n{"type":"event","length":1.5}\n{"a":1}',
    '{}\n{"type":"event","length":"7"}\n{"a":1}',
    '{}\n{"type":"event","length":1e300}\n{"a":1}',
    '{}\n{"type":"event","length":7}',
    '{}\n{"type":"event","length":7}\n{"a":1}\r\n',
    '{}\n{"type":"event"}\n{}\nno header\n{}',
    `{"a":"${'x'.repeat(70_000)}"}`,
    `{}\n{"type":"${'x'.repeat(70_000)}"}\n{}`,
    `{"a":${'['.repeat(2000)}${']'.repeat(2000)}}`,
    Buffer.of(0xff, 0xfe, 0x0a),
  ]
  for (const body of bodies) t.equal(statusOf(body), 400, String(body).slice(0, 80))
})

t.test('the error message says where the envelope is invalid', async t => {
  t.throws(() => read('no'), { message: /first line must be the header/ })
  t.throws(() => read('{}\n{"type":"a"}\n1\n{}\n'), { message: /header of item 2/ })
  t.throws(() => read('{}\n{"type":"a","length":9}\n1'), { message: /Item 1 does not end/ })
})

t.test('pauses while skipping empty lines', async t => {
  const body = Buffer.from(`{}${'\n'.repeat(3 * sliceBytes)}`)
  t.same([...readEnvelopeItems(body, 3)], [null, null, null])
})

t.test('a header may contain a field or type named `__proto__`', async t => {
  const { header, items } = read('{"__proto__":{"sent_at":1}}\n{"type":"__proto__"}\n{}')
  t.equal(header.sent_at, undefined)
  t.same(items, [['__proto__', '{}']])
})

t.test(
  'property: items with declared lengths are read as written, whatever bytes their payloads contain',
  async t => {
    const item = fc.tuple(fc.string(), fc.uint8Array({ maxLength: 100 }))
    fc.assert(
      fc.property(fc.array(item), fc.nat({ max: 2 }), (items, emptyLines) => {
        const parts = items.flatMap(([type, payload]) => [
          Buffer.from(`\n${JSON.stringify({ type, length: payload.length })}\n`),
          payload,
          Buffer.from('\n'.repeat(emptyLines)),
        ])
        const bytes = Buffer.concat([Buffer.from('{}'), ...parts])
        const found = withoutPauses(readEnvelopeItems(bytes, readEnvelopeStart(bytes).itemsStart))
        t.same(
          found.map(({ type, payload }) => [type, bytes.subarray(payload.start, payload.end)]),
          items.map(([type, payload]) => [type, Buffer.from(payload)]),
        )
      }),
    )
  },
)

t.test('property: any bytes are either read as items in body order or rejected', async () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 20 }).map(bytes => Buffer.from(bytes)),
    fc
      .constantFrom(
        '{}',
        '\n',
        '{"type":"event"}',
        '{"type":"a","length":3}',
        '{"type":"b","length":-1}',
        'abc',
      )
      .map(text => Buffer.from(text)),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), pieces => {
      const body = Buffer.concat([Buffer.from('{}\n'), ...pieces])
      let position = 3
      try {
        for (const { payload } of withoutPauses(readEnvelopeItems(body, position))) {
          // Each item has a header, so its payload starts after the previous payload's end.
          if (payload.start <= position && payload.start < body.length) return false
          if (payload.end < payload.start || payload.end > body.length) return false
          position = payload.end
        }
        return true
      } catch (error) {
        return error instanceof HttpError && error.statusCode === 400
      }
    }),
  )
})
