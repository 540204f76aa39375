import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import Fastify from 'fastify'
import type { Test } from 'tap'
import type { NewEvent } from '../../../shared/event.ts'
import { paths } from '../../../shared/paths.ts'
import { createClean } from '../../events/clean.ts'
import { createNormalise } from '../../events/normalise.ts'
import { readConfig } from '../../settings/config.ts'
import { fakeContext } from '../../testing/fake-context.ts'
import { stubPlugins } from '../../testing/stub-plugins.ts'
import { otlpLogs, otlpTraces } from './otlp.ts'

type Options = { accept?: () => Promise<void>; ingestLimitBytes?: number }

/** Starts only the OTLP endpoints. The result includes the stored events and the idempotency keys of the requests. */
export async function startOtlp(t: Test, { accept, ingestLimitBytes = 16_000_000 }: Options = {}) {
  const stored: NewEvent[] = []
  const keys: (string | undefined)[] = []
  let [rejected, ignored] = [0, 0]
  const fake = fakeContext()
  const context = fakeContext({
    config: { ...readConfig({}), ingestLimitBytes },
    normalise: createNormalise(createClean([]), fake.failures),
    events: {
      ...fake.events,
      accept: async (events, _sizeBytes, requestKey) => {
        await accept?.()
        stored.push(...events)
        keys.push(requestKey)
      },
      countRejected: count => {
        rejected += count
      },
      countIgnored: (_kind, count) => {
        ignored += count
      },
    },
  })
  const app = Fastify()
  stubPlugins(app)
  app.register(otlpLogs, { context })
  app.register(otlpTraces, { context })
  await app.listen({ port: 0, host: '127.0.0.1' })
  t.teardown(() => app.close())

  const post = async (path: string, payload: string | Buffer, headers: Record<string, string> = {}) => {
    const type = typeof payload === 'string' ? 'application/json' : 'application/x-protobuf'
    const response = await app.inject({
      method: 'POST',
      url: path,
      payload,
      headers: { 'content-type': type, ...headers },
    })
    return { status: response.statusCode, headers: response.headers, body: response.rawPayload }
  }
  return {
    origin: app.listeningOrigin,
    stored,
    keys,
    rejected: () => rejected,
    ignored: () => ignored,
    postLogs: post.bind(null, paths.otlpLogs()),
    postTraces: post.bind(null, paths.otlpTraces()),
  }
}

/** Returns a logs request with one resource and one scope, structured like OTLP's JSON. */
export function logsOf(...logRecords: object[]) {
  return { resourceLogs: [{ resource: {}, scopeLogs: [{ scope: {}, logRecords }] }] }
}

/** Returns a traces request with one resource and one scope, structured like OTLP's JSON. */
export function spansOf(...spans: object[]) {
  return { resourceSpans: [{ resource: {}, scopeSpans: [{ scope: {}, spans }] }] }
}

export function attributesOf(fields: Readonly<Record<string, object>>) {
  return Object.entries(fields).map(([key, value]) => ({ key, value }))
}

type Scalar =
  | 'string'
  | 'hex'
  | 'base64'
  | 'bool'
  | 'int32'
  | 'uint32'
  | 'int64'
  | 'fixed32'
  | 'fixed64'
  | 'double'
type Layout = { [name: string]: readonly [field: number, type: Scalar | (() => Layout)] }

// https://github.com/open-telemetry/opentelemetry-proto/tree/main/opentelemetry/proto
const anyValue = (): Layout => ({
  stringValue: [1, 'string'],
  boolValue: [2, 'bool'],
  intValue: [3, 'int64'],
  doubleValue: [4, 'double'],
  arrayValue: [5, () => ({ values: [1, anyValue] })],
  kvlistValue: [6, () => ({ values: [1, keyValue] })],
  bytesValue: [7, 'base64'],
})
const keyValue = (): Layout => ({ key: [1, 'string'], value: [2, anyValue] })
const resource = (): Layout => ({ attributes: [1, keyValue] })
const scope = (): Layout => ({ name: [1, 'string'], version: [2, 'string'], attributes: [3, keyValue] })
const logRecord = (): Layout => ({
  timeUnixNano: [1, 'fixed64'],
  severityNumber: [2, 'int32'],
  severityText: [3, 'string'],
  body: [5, anyValue],
  attributes: [6, keyValue],
  droppedAttributesCount: [7, 'uint32'],
  flags: [8, 'fixed32'],
  traceId: [9, 'hex'],
  spanId: [10, 'hex'],
  observedTimeUnixNano: [11, 'fixed64'],
  eventName: [12, 'string'],
})
const span = (): Layout => ({
  traceId: [1, 'hex'],
  spanId: [2, 'hex'],
  traceState: [3, 'string'],
  parentSpanId: [4, 'hex'],
  name: [5, 'string'],
  kind: [6, 'int32'],
  startTimeUnixNano: [7, 'fixed64'],
  endTimeUnixNano: [8, 'fixed64'],
  attributes: [9, keyValue],
  droppedAttributesCount: [10, 'uint32'],
  events: [11, () => ({ timeUnixNano: [1, 'fixed64'], name: [2, 'string'], attributes: [3, keyValue] })],
  status: [15, () => ({ message: [2, 'string'], code: [3, 'int32'] })],
})
const request = (): Layout => ({
  resourceLogs: [
    1,
    () => ({
      resource: [1, resource],
      scopeLogs: [2, () => ({ scope: [1, scope], logRecords: [2, logRecord] })],
    }),
  ],
  resourceSpans: [
    1,
    () => ({ resource: [1, resource], scopeSpans: [2, () => ({ scope: [1, scope], spans: [2, span] })] }),
  ],
})

/** Encodes a request or value, structured like OTLP's JSON, as protobuf. Writes fields in the object's order. */
export function toProtobuf(message: object, layout = request): Buffer {
  return Buffer.from(write(new BinaryWriter(), message, layout()).finish())
}

export const keyValueLayout = keyValue

function write(writer: BinaryWriter, message: object, layout: Layout): BinaryWriter {
  for (const [name, value] of Object.entries(message)) {
    const [field, type] = layout[name] ?? [0, 'bool']
    if (field === 0) throw new Error(`There is no field ${name}`)
    for (const each of Array.isArray(value) ? value : [value]) writeField(writer, field, type, each)
  }
  return writer
}

function writeField(
  writer: BinaryWriter,
  field: number,
  type: Scalar | (() => Layout),
  value: unknown,
): void {
  if (typeof type === 'function') {
    if (typeof value !== 'object' || value === null) throw new Error(`Field ${field} must be a message`)
    write(writer.tag(field, WireType.LengthDelimited).fork(), value, type()).join()
  } else if (type === 'string') writer.tag(field, WireType.LengthDelimited).string(String(value))
  else if (type === 'hex' || type === 'base64') {
    writer.tag(field, WireType.LengthDelimited).bytes(Buffer.from(String(value), type))
  } else if (type === 'fixed32') writer.tag(field, WireType.Bit32).fixed32(Number(value))
  else if (type === 'fixed64') writer.tag(field, WireType.Bit64).fixed64(String(value))
  else if (type === 'double') writer.tag(field, WireType.Bit64).double(Number(value))
  else if (type === 'bool') writer.tag(field, WireType.Varint).bool(value === true)
  else if (type === 'int64') writer.tag(field, WireType.Varint).int64(String(value))
  else writer.tag(field, WireType.Varint)[type](Number(value))
}
