import { randomBytes } from 'node:crypto'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { BinaryReader } from '@bufbuild/protobuf/wire'
import t from 'tap'
import { QueueFullError } from '../../events/events.ts'
import { logsOf, spansOf, startOtlp, toProtobuf } from './testing.ts'

const nano = (ms: number) => `${ms}000000`
const log = { timeUnixNano: nano(Date.now()), body: { stringValue: 'one' } }
const two = logsOf(log, { ...log, body: { stringValue: 'two' } })

/** Returns the message of a google.rpc.Status. */
function statusMessage({ headers, body }: { headers: { 'content-type'?: unknown }; body: Buffer }): string {
  if (headers['content-type'] === 'application/json') return String(JSON.parse(body.toString()).message)
  const reader = new BinaryReader(body)
  t.same(reader.tag(), [2, 2])
  return reader.string()
}

t.test('responds in the encoding of the request, with an empty message on full success', async t => {
  const { postLogs, postTraces, stored } = await startOtlp(t)
  for (const type of ['application/json', 'application/json; charset=utf-8', 'Application/JSON']) {
    const response = await postLogs(JSON.stringify(two), { 'content-type': type })
    t.match(response, { status: 200, headers: { 'content-type': /^application\/json$/ } }, type)
    t.equal(response.body.toString(), '{}')
  }
  const response = await postLogs(toProtobuf(two))
  t.match(response, { status: 200, headers: { 'content-type': 'application/x-protobuf' } })
  t.equal(response.body.length, 0)
  t.equal(stored.length, 8)
  t.match(stored.at(-1), { body: 'two', source: 'otlp', service: 'unknown' })

  for (const post of [postLogs, postTraces]) {
    t.match(await post(Buffer.alloc(0)), { status: 200 }, 'an empty request is valid')
    t.match(await post('{}'), { status: 200 })
  }
})

t.test('rejects unsupported types and encodings, and invalid bodies', async t => {
  const { postLogs, stored } = await startOtlp(t)
  for (const type of ['text/plain', 'application/grpc', 'application/octet-stream', 'json', '']) {
    const response = await postLogs(JSON.stringify(two), { 'content-type': type })
    t.equal(response.status, 415)
    t.match(statusMessage(response), 'application/x-protobuf')
  }
  const packed = await postLogs(toProtobuf(two), { 'content-encoding': 'snappy' })
  t.match(packed, { status: 415, headers: { 'accept-encoding': /gzip/ } })
  t.match(statusMessage(packed), 'gzip')

  const noLogs = toProtobuf(spansOf({ traceId: '0af7651916cd43dd8448eb211c80319c' }))
  const half = toProtobuf(two).subarray(0, -3)
  for (const body of [
    Buffer.from(JSON.stringify(two)),
    half,
    noLogs,
    Buffer.alloc(9, 0xff),
    '',
    '[]',
    '{',
    'null',
  ]) {
    const response = await postLogs(body)
    t.equal(response.status, 400, String(body))
    t.match(statusMessage(response), /not a valid request|^Record 1: /)
  }
  t.same(stored, [])
})

t.test('decompresses a body, and rejects corrupt compression', async t => {
  const { postLogs, stored } = await startOtlp(t)
  const body = toProtobuf(two)
  t.match(await postLogs(gzipSync(body), { 'content-encoding': 'gzip' }), { status: 200 })
  t.match(await postLogs(brotliCompressSync(body), { 'content-encoding': 'br' }), { status: 200 })
  t.equal(stored.length, 4)
  t.match(await postLogs(gzipSync(body).subarray(0, 30), { 'content-encoding': 'gzip' }), { status: 400 })
  t.match(await postLogs(body, { 'content-encoding': 'gzip' }), { status: 400 })
  t.equal(stored.length, 4)
})

t.test('rejects an oversized body or too many records, compressed or not', async t => {
  const { postLogs, stored } = await startOtlp(t, { ingestLimitBytes: 1_000_000 })
  const large = toProtobuf(logsOf({ body: { stringValue: randomBytes(600_000).toString('hex') } }))
  const bomb = gzipSync(Buffer.alloc(50_000_000))
  const many = toProtobuf(logsOf(...Array.from({ length: 100_001 }, () => ({}))))
  const attributes = Array.from({ length: 1000 }, (_, index) => ({
    key: `k${index}`,
    value: { stringValue: 'x' },
  }))
  const logRecords = Array.from({ length: 1000 }, () => ({}))
  const repetitive = toProtobuf({ resourceLogs: [{ resource: { attributes }, scopeLogs: [{ logRecords }] }] })
  const empty = JSON.stringify({ resourceLogs: Array.from({ length: 300_000 }, () => ({})) })
  for (const response of [
    await postLogs(large),
    await postLogs(gzipSync(large), { 'content-encoding': 'gzip' }),
    await postLogs(bomb, { 'content-encoding': 'gzip' }),
    await postLogs(many),
    await postLogs(Buffer.alloc(900_000, Buffer.from([0x0a, 0]))),
    await postLogs(empty),
    await postLogs(repetitive),
  ]) {
    t.equal(response.status, 413)
    t.match(statusMessage(response), /MB|more than|too many/)
  }
  t.same(stored, [])
})

t.test('partial success: invalid records are counted and do not affect the others', async t => {
  const { postLogs, postTraces, stored, rejected } = await startOtlp(t)
  const response = await postLogs(
    JSON.stringify(logsOf({ severityNumber: 'SEVERITY_NUMBER_INFO' }, log, { body: 'x' })),
  )
  t.equal(response.status, 200)
  t.same(JSON.parse(response.body.toString()), {
    partialSuccess: {
      rejectedLogRecords: '2',
      errorMessage: 'Record 1: severityNumber is not a number',
    },
  })
  t.equal(stored.length, 1)
  t.equal(rejected(), 2)

  // A field with the wrong wire type in the second of three records
  const broken = toProtobuf(logsOf(log, { severityText: 'not a severity' }, log))
  broken[broken.indexOf('not a severity') - 2] = 0x0a
  const partial = await postLogs(broken)
  t.equal(partial.status, 200)
  const reader = new BinaryReader(partial.body)
  t.same(reader.tag(), [1, 2])
  reader.uint32()
  t.same(reader.tag(), [1, 0])
  t.equal(Number(reader.int64()), 1)
  t.same(reader.tag(), [2, 2])
  t.match(reader.string(), /^Record 2: /)
  t.equal(stored.length, 3)

  const spans = await postTraces(JSON.stringify(spansOf({ events: 7 }, { kind: 1 })))
  t.match(JSON.parse(spans.body.toString()), { partialSuccess: { rejectedSpans: '1' } })
})

t.test('rejects records older than the retention period', async t => {
  const { postLogs, postTraces, stored, rejected, ignored } = await startOtlp(t)
  const old = { timeUnixNano: nano(Date.now() - 31 * 86_400_000), body: { stringValue: 'old' } }
  const response = await postLogs(JSON.stringify(logsOf(log, old)))
  t.equal(response.status, 200)
  t.same(JSON.parse(response.body.toString()), {
    partialSuccess: {
      rejectedLogRecords: '1',
      errorMessage: 'Record 2: The event is older than the retention period of 30 days',
    },
  })
  t.match(stored, [{ body: 'one' }])
  const times = { startTimeUnixNano: old.timeUnixNano, endTimeUnixNano: old.timeUnixNano }
  const spans = await postTraces(JSON.stringify(spansOf({ kind: 2, ...times }, { kind: 1, ...times })))
  t.match(JSON.parse(spans.body.toString()), { partialSuccess: { rejectedSpans: '1' } })
  t.equal(stored.length, 1)
  t.equal(rejected(), 2)
  t.equal(ignored(), 1)
})

t.test('a full queue causes a 429 response and an outage a 503 response, both with Retry-After', async t => {
  const full = await startOtlp(t, { accept: () => Promise.reject(new QueueFullError(3)) })
  const out = await startOtlp(t, { accept: () => Promise.reject(new Error('No budget on /secret')) })
  for (const body of [JSON.stringify(two), toProtobuf(two)]) {
    const response = await full.postLogs(body)
    t.match(response, { status: 429, headers: { 'retry-after': '3' } })
    t.match(statusMessage(response), 'Send it again')
    const later = await out.postLogs(body)
    t.match(later, { status: 503, headers: { 'retry-after': '5' } })
    t.notMatch(later.body.toString(), 'secret')
  }
})

t.test('a retried request has the same key, unless one of its records has no time', async t => {
  const { postLogs, postTraces, keys } = await startOtlp(t)
  const body = toProtobuf(two)
  await postLogs(body)
  await postLogs(gzipSync(body), { 'content-encoding': 'gzip' })
  await postLogs(toProtobuf(logsOf(log)))
  await postTraces(toProtobuf(spansOf({ kind: 2, startTimeUnixNano: log.timeUnixNano })))
  await postLogs(toProtobuf(logsOf(log, { body: log.body })))
  const [first, retried, other, trace, timeless] = keys
  t.type(first, 'string')
  t.equal(first, retried)
  t.equal(new Set([first, other, trace]).size, 3)
  t.equal(timeless, undefined)
})

t.test('deep nesting is truncated in protobuf and rejected in JSON', async t => {
  const { postLogs, stored } = await startOtlp(t)
  const bodies = [50_000, 1_000_000].map(levels => nestedLog(levels))
  for (const body of bodies) t.equal((await postLogs(body)).status, 200)
  t.equal(stored.length, 2)
  for (const event of stored) t.match(JSON.stringify(event.attributes), /"\[deeper\]"/)

  const deep = `${'{"arrayValue":{"values":['.repeat(20_000)}${']}}'.repeat(20_000)}`
  const response = await postLogs(`{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":${deep}}]}]}]}`)
  t.equal(response.status, 400)
  t.match(statusMessage(response), /deeper/)
  t.equal(stored.length, 2)
})

/** Encodes a request with one log record whose body consists of nested arrays, starting from the innermost array. */
function nestedLog(levels: number): Buffer {
  const bytes = Buffer.alloc(levels * 12 + 100)
  let start = bytes.length
  const wrap = (tag: number) => {
    const length: number[] = []
    let rest = bytes.length - start
    for (; rest > 0x7f; rest >>>= 7) length.push((rest & 0x7f) | 0x80)
    length.push(rest)
    start -= length.length
    bytes.set(length, start)
    start -= 1
    bytes[start] = tag
  }
  for (let level = 0; level < levels; level += 1) {
    wrap(0x0a) // ArrayValue.values
    wrap(0x2a) // AnyValue.array_value
  }
  for (const tag of [0x2a, 0x12, 0x12, 0x0a]) wrap(tag)
  return bytes.subarray(start)
}
