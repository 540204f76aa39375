import { BinaryWriter } from '@bufbuild/protobuf/wire'
import fc from 'fast-check'
import t from 'tap'
import type { Json } from '../../../shared/event.ts'
import { HttpError } from '../../http/http-error.ts'
import { withoutPauses } from '../../testing/pauses.ts'
import { maxEvents } from '../collect-events.ts'
import { sliceBytes } from '../json-cursor.ts'
import { maxRecordBytes } from '../parse-json.ts'
import { ProtoReader } from '../proto-reader.ts'
import { readAnyValue as readJsonValue } from './json-values.ts'
import { maxFields } from './protobuf.ts'
import { readAnyValue as readProtobufValue } from './protobuf-values.ts'
import { logs, type Signal, traces } from './signals.ts'
import { attributesOf, keyValueLayout, logsOf, spansOf, toProtobuf } from './testing.ts'
import { createBudget } from './values.ts'

const text = fc.string({ unit: 'grapheme', maxLength: 40 })
const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })

/** An AnyValue in OTLP's JSON, and the value that it represents. */
type Any = { any: object; value: Json }
const { any: anyValue } = fc.letrec<{ any: Any }>(tie => ({
  any: fc.oneof(
    { depthSize: 'small' },
    fc.constant({ any: {}, value: null }),
    text.map(value => ({ any: { stringValue: value }, value })),
    fc.boolean().map(value => ({ any: { boolValue: value }, value })),
    int64.map(value => ({
      any: { intValue: String(value) },
      value: Number.isSafeInteger(Number(value)) ? Number(value) : String(value),
    })),
    fc
      .double({ noNaN: true, noDefaultInfinity: true })
      .map(value => ({ any: { doubleValue: value }, value: value })),
    fc.constantFrom('NaN', 'Infinity', '-Infinity').map(value => ({ any: { doubleValue: value }, value })),
    fc
      .uint8Array()
      .map(bytes => Buffer.from(bytes).toString('base64'))
      .map(value => ({ any: { bytesValue: value }, value })),
    fc.array(tie('any'), { maxLength: 5 }).map(each => ({
      any: { arrayValue: { values: each.map(({ any }) => any) } },
      value: each.map(({ value }) => value),
    })),
    fc
      .dictionary(fc.oneof(text, fc.constant('__proto__')), tie('any'), { maxKeys: 5, noNullPrototype: true })
      .map(fields => ({
        any: {
          kvlistValue: { values: Object.entries(fields).map(([key, { any }]) => ({ key, value: any })) },
        },
        value: Object.fromEntries(Object.entries(fields).map(([key, { value }]) => [key, value])),
      })),
  ),
}))

t.test('property: values round-trip in both encodings', async () => {
  fc.assert(
    fc.property(anyValue, ({ any, value }) => {
      const expected = JSON.stringify(value)
      const input = new ProtoReader(toProtobuf({ value: any }, keyValueLayout))
      input.fieldsLeft = 100_000
      input.next(Number.POSITIVE_INFINITY)
      return (
        JSON.stringify(readJsonValue(JSON.parse(JSON.stringify(any)), createBudget())) === expected &&
        JSON.stringify(readProtobufValue(input, createBudget())) === expected
      )
    }),
  )
})

const hex = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map(each => Buffer.from(each).toString('hex'))
const some = <Model extends Record<string, fc.Arbitrary<unknown>>>(model: Model) =>
  fc.record(model, { requiredKeys: [] })
const nanos = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String)
const attributes = fc.array(fc.record({ key: text, value: anyValue.map(({ any }) => any) }), { maxLength: 5 })
const uint32 = fc.nat({ max: 2 ** 31 - 1 })

const log = some({
  timeUnixNano: nanos,
  observedTimeUnixNano: nanos,
  severityNumber: fc.nat({ max: 30 }),
  severityText: text,
  body: anyValue.map(({ any }) => any),
  attributes,
  droppedAttributesCount: uint32,
  flags: uint32,
  traceId: hex(16),
  spanId: hex(8),
  eventName: text,
})
const span = some({
  traceId: hex(16),
  spanId: hex(8),
  parentSpanId: hex(8),
  name: text,
  kind: fc.nat({ max: 6 }),
  startTimeUnixNano: nanos,
  endTimeUnixNano: nanos,
  attributes,
  droppedAttributesCount: uint32,
  events: fc.array(some({ timeUnixNano: nanos, name: text, attributes }), { maxLength: 3 }),
  status: some({ message: text, code: fc.nat({ max: 2 }) }),
})
const resource = some({ attributes })
const scope = some({ name: text, version: text, attributes })
const few = <Value>(each: fc.Arbitrary<Value>) => fc.array(each, { maxLength: 3, size: 'max' })
// The resource and scope can come before or after the records.
const logRequest = fc.oneof(
  fc.record({
    resourceLogs: few(fc.record({ resource, scopeLogs: few(fc.record({ scope, logRecords: few(log) })) })),
  }),
  fc.record({
    resourceLogs: few(fc.record({ scopeLogs: few(fc.record({ logRecords: few(log), scope })), resource })),
  }),
)
const spanRequest = fc.oneof(
  fc.record({
    resourceSpans: few(fc.record({ resource, scopeSpans: few(fc.record({ scope, spans: few(span) })) })),
  }),
  fc.record({
    resourceSpans: few(fc.record({ scopeSpans: few(fc.record({ spans: few(span), scope })), resource })),
  }),
)

const readAll = ({ read }: Pick<Signal<unknown>, 'read'>, body: Buffer | string) =>
  withoutPauses(
    typeof body === 'string'
      ? read['application/json'](Buffer.from(body))
      : read['application/x-protobuf'](body),
  )

t.test('property: both encodings of a request produce the same items, in any field order', async t => {
  for (const [signal, request] of [
    [logs, logRequest],
    [traces, spanRequest],
  ] as const) {
    let items = 0
    fc.assert(
      fc.property(request, value => {
        const inJson = readAll(signal, JSON.stringify(value))
        items += inJson.length
        return (
          JSON.stringify(readAll(signal, toProtobuf(value))) === JSON.stringify(inJson) &&
          inJson.every(each => !('reason' in each))
        )
      }),
    )
    t.ok(items > 100)
  }
})

t.test('property: any bytes are read or rejected', async () => {
  const isReadOrRejected = (body: Buffer | string) => {
    for (const signal of [logs, traces]) {
      try {
        for (const each of readAll(signal, body)) if ('reason' in each && each.reason === '') return false
      } catch (error) {
        if (!(error instanceof HttpError)) return false
      }
    }
    return true
  }
  fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), bytes => isReadOrRejected(Buffer.from(bytes))))
  fc.assert(fc.property(fc.jsonValue(), value => isReadOrRejected(JSON.stringify(value))))
  const mutation = fc.record({
    at: fc.nat(),
    bytes: fc.uint8Array({ maxLength: 3 }),
    drop: fc.nat({ max: 3 }),
  })
  fc.assert(
    fc.property(
      fc.oneof(logRequest, spanRequest),
      fc.array(mutation, { minLength: 1, maxLength: 4 }),
      (value, mutations) =>
        [toProtobuf(value), Buffer.from(JSON.stringify(value))].every((whole, encoding) => {
          const body = mutations.reduce((left, { at, bytes, drop }) => {
            const place = at % (left.length + 1)
            return Buffer.concat([left.subarray(0, place), bytes, left.subarray(place + drop)])
          }, whole)
          return isReadOrRejected(encoding === 0 ? body : body.toString())
        }),
    ),
    { numRuns: 300 },
  )
  // Any JSON in place of any field
  const anyLog = fc.dictionary(
    fc.constantFrom('timeUnixNano', 'body', 'attributes', 'severityNumber', 'traceId', 'flags'),
    fc.jsonValue(),
  )
  const anySpan = fc.dictionary(
    fc.constantFrom('events', 'status', 'attributes', 'kind', 'endTimeUnixNano'),
    fc.jsonValue(),
  )
  fc.assert(
    fc.property(anyLog, anySpan, (log, span) =>
      isReadOrRejected(JSON.stringify({ ...logsOf(log), ...spansOf(span) })),
    ),
  )
})

t.test('skips unknown fields', async t => {
  const unknown = Buffer.from([0xf8, 0x07, 0x80, 0x01, 0xfa, 0x07, 0x02, 0x41, 0x42])
  const record = toProtobuf(logsOf({ body: { stringValue: 'x' } }))
  t.match(readAll(logs, Buffer.concat([unknown, record, unknown])), [{ item: { body: 'x' } }])
  const inJson = {
    ...logsOf({ body: { stringValue: 'x', newValue: 1 }, log_record: 1 }),
    more: [[]],
  }
  t.match(readAll(logs, `\ufeff${JSON.stringify(inJson)}`), [{ item: { body: 'x' } }])
})

t.test('rejects groups, which cannot be skipped in pieces', async t => {
  const group = Buffer.of(0x13, 0x08, 0x01, 0x14)
  t.throws(() => readAll(logs, group), { statusCode: 400, message: /groups are not supported/ })
})

t.test('pauses between unknown fields outside the records', async t => {
  const unknown = Buffer.alloc(100_000, Buffer.of(0x50, 0))
  const message = (inner: Uint8Array) => new BinaryWriter().tag(1, 2).bytes(inner).finish()
  for (const body of [unknown, message(unknown)]) {
    const pauses = [...logs.read['application/x-protobuf'](Buffer.from(body))].filter(each => each === null)
    t.ok(pauses.length >= 5, `${pauses.length} pauses`)
  }
})

t.test('accepts alternative forms of JSON values, and rejects invalid ones', async t => {
  const ways = {
    timeUnixNano: 1544712660300000000,
    severityNumber: '9',
    body: { intValue: 7 },
    attributes: null,
    flags: null,
    traceId: '5B8EFFF798038103D269B633813FC60C',
  }
  t.match(readAll(logs, JSON.stringify(logsOf(ways))), [
    { item: { timeUnixNano: 1544712660300000000, severityNumber: 9, body: 7, attributes: {}, flags: 0 } },
  ])
  t.match(readAll(logs, JSON.stringify(logsOf({ timeUnixNano: 'soon' }))), [
    { item: { timeUnixNano: 'soon' } },
  ])
  t.match(readAll(logs, JSON.stringify(logsOf({ body: { intValue: 1e20 } }))), [
    { item: { body: '100000000000000000000' } },
  ])
  for (const wrong of [
    { intValue: 'x' },
    { intValue: 1.5 },
    { arrayValue: [] },
    { kvlistValue: { values: {} } },
    'x',
  ]) {
    t.match(
      readAll(logs, JSON.stringify(logsOf({ body: wrong }))),
      [{ reason: String }],
      JSON.stringify(wrong),
    )
  }
})

t.test('JSON: the resource may follow its records', async t => {
  const attributes = attributesOf({ 'service.name': { stringValue: 'shop' } })
  const body = {
    resourceLogs: [{ scopeLogs: [{ logRecords: [{}], scope: { name: 's' } }], resource: { attributes } }],
  }
  t.match(readAll(logs, JSON.stringify(body)), [
    { resource: { 'service.name': 'shop' }, scope: { name: 's' }, item: { body: null } },
  ])
})

t.test('JSON: an invalid record does not affect the others', async t => {
  const long = JSON.stringify({ body: { stringValue: 'x'.repeat(maxRecordBytes) } })
  const body = `{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":},${long},{"eventName":"a"}]}]}]}`
  t.match(readAll(logs, body), [
    { reason: /not JSON/ },
    { reason: /longer than/ },
    { item: { eventName: 'a' } },
  ])
})

t.test('JSON: limits the number of records, resources and scopes, and pauses between values', async t => {
  const list = (text: string, count: number) => Array.from({ length: count }, () => text).join(',')
  const records = `{"resourceLogs":[{"scopeLogs":[{"logRecords":[${list('{}', maxEvents + 1)}]}]}]}`
  t.throws(() => readAll(logs, records), /more than 100000 records/)
  const resources = `{"resourceLogs":[${list('{}', 2 * maxEvents + 1)}]}`
  t.throws(() => readAll(logs, resources), /too many resources and scopes/)
  for (const body of [`{"other":[${list('{}', sliceBytes)}]}`, `{${list('"a":1', sliceBytes)}}`]) {
    t.ok([...logs.read['application/json'](Buffer.from(body))].length >= 3)
  }
})

t.test('replaces invalid UTF-8', async t => {
  const body = toProtobuf(
    logsOf({
      body: { stringValue: 'a__b' },
      attributes: attributesOf({ k__: { stringValue: 'x'.repeat(50) } }),
    }),
  )
  for (let at = body.indexOf('__'); at !== -1; at = body.indexOf('__', at)) body.set([0xff, 0xc3], at)
  t.match(readAll(logs, body), [
    { item: { body: 'a\ufffd\ufffdb', attributes: { 'k\ufffd\ufffd': /^x+$/ } } },
  ])
})

t.test('limits the number of values and fields of a record', async t => {
  const list = Array.from({ length: 100_000 }, (_, index) => ({ intValue: index }))
  const fields = list.map((value, index) => ({ key: `k${index}`, value }))
  for (const record of [{ attributes: fields }, { body: { arrayValue: { values: list } } }]) {
    const [read] = readAll(logs, toProtobuf(logsOf(record)))
    t.match(read, { item: {} })
    t.ok(JSON.stringify(read).length < 1_000_000)
    t.match(readAll(logs, JSON.stringify(logsOf(record))), [{ reason: /longer than/ }])
  }
  const unknown = Buffer.alloc(2 * maxFields + 2, Buffer.from([0x20, 1]))
  const record = new BinaryWriter().tag(1, 2).fork().tag(2, 2).fork().tag(2, 2).bytes(unknown).join().join()
  t.match(readAll(logs, Buffer.from(record.finish())), [{ reason: /too many fields/ }])
})
