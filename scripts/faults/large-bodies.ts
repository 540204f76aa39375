import * as zlib from 'node:zlib'
import { compress } from 'snappyjs'
import { type Push, protobufOf } from '../../server/ingest/loki/testing.ts'
import { toProtobuf } from '../../server/ingest/otlp/testing.ts'
import { paths } from '../../shared/paths.ts'
import { fill, type LargeBody, lineBodies, ndjson, padding, record, repeat, times } from './line-bodies.ts'

const time = `${Date.now()}000000`
const stack = times(20, index => `    at step${index} (/app/src/file${index}.js:10:5)`).join('\n')

/**
 * Returns bodies of up to `sizeBytes` for the ingest endpoints other than Sentry's, in the forms that take longest to
 * process.
 */
export function largeBodies(sizeBytes: number): LargeBody[] {
  const error = (index: number) =>
    JSON.stringify({
      level: 50,
      msg: 'failed',
      err: { type: 'Error', message: `${index}`, stack: `Error: ${index}\n${stack}` },
    })
  const values = `{"values":[${times(19_000, index => index).join()}]}`
  const names = `{${times(19_000, index => `"name${index}":${index}`).join()}}`
  const empty = `[${repeat('{}', sizeBytes, ',')}]`
  const logRecord = { timeUnixNano: time, body: { stringValue: `request completed ${padding}${padding}` } }
  const logs = (count: number) => ({
    resourceLogs: [{ scopeLogs: [{ logRecords: times(count, () => logRecord) }] }],
  })
  const otlp = (type: string, body: Buffer) => ({
    path: paths.otlpLogs(),
    body,
    headers: { 'content-type': type },
  })
  const attributes = (count: number) => {
    const fields = times(40_000, index => ({ key: `name${index}`, value: { intValue: index } }))
    return { resourceLogs: [{ scopeLogs: [{ logRecords: times(count, () => ({ attributes: fields })) }] }] }
  }
  const push = (count: number) => ({
    streams: [
      {
        stream: { app: 'loop' },
        values: times(count, (index): [string, string] => [
          time,
          `level=info msg="request ${index}" padding=${padding}`,
        ]),
      },
    ],
  })
  const pairs = Object.fromEntries(times(sizeBytes / 28, index => [`name${index}`, `value${index}`]))
  const metadata: Push = { streams: [{ stream: {}, values: [[time, 'line', pairs]] }] }
  const labels: Push = {
    streams: [{ stream: { app: 'x'.repeat(sizeBytes - 100) }, values: [[time, 'line']] }],
  }
  const loki = (type: string, body: Buffer) => ({
    path: paths.lokiPush(),
    body,
    headers: { 'content-type': type },
  })
  const [logCount, entryCount] = [Math.floor(sizeBytes / 300), Math.floor(sizeBytes / 180)]
  return [
    ...lineBodies(sizeBytes),
    ndjson('lines with stacks', fill(error, sizeBytes, '\n')),
    ndjson('empty lines', repeat('', sizeBytes, '\n')),
    ndjson('one array', `[${fill(record, sizeBytes, ',')}]`),
    ndjson('array of {}', empty),
    ndjson('records with 19,000 values', repeat(values, sizeBytes, '\n')),
    ndjson('records with 19,000 names', repeat(names, sizeBytes, '\n')),
    ndjson('records with 1 MB of text', repeat(`{"msg":"${'password='.repeat(110_000)}"}`, sizeBytes, '\n')),
    ndjson('one line that is not JSON', '{'.repeat(sizeBytes)),
    ndjson('gzip of {}', zlib.gzipSync(empty), { 'content-encoding': 'gzip' }),
    ndjson('gzip over the limit', zlib.gzipSync(Buffer.alloc(200_000_000)), { 'content-encoding': 'gzip' }),
    ...('zstdCompressSync' in zlib
      ? [ndjson('zstd of {}', zlib.zstdCompressSync(empty), { 'content-encoding': 'zstd' })]
      : []),
    { name: 'OTLP JSON', ...otlp('application/json', Buffer.from(JSON.stringify(logs(logCount)))) },
    { name: 'OTLP protobuf', ...otlp('application/x-protobuf', toProtobuf(logs(logCount))) },
    {
      name: 'OTLP protobuf with unknown fields',
      ...otlp('application/x-protobuf', Buffer.alloc(sizeBytes, Buffer.from([0x50, 0]))),
    },
    {
      name: 'OTLP protobuf records with 40,000 attributes',
      ...otlp('application/x-protobuf', toProtobuf(attributes(Math.floor(sizeBytes / 1_000_000)))),
    },
    { name: 'Loki JSON', ...loki('application/json', Buffer.from(JSON.stringify(push(entryCount)))) },
    { name: 'Loki protobuf', ...loki('application/x-protobuf', compress(protobufOf(push(entryCount)))) },
    {
      name: 'Loki protobuf with unknown fields',
      ...loki('application/x-protobuf', compress(Buffer.alloc(sizeBytes, Buffer.from([0x50, 0])))),
    },
    {
      name: 'Loki protobuf entry with metadata only',
      ...loki('application/x-protobuf', compress(protobufOf(metadata))),
    },
    {
      name: 'Loki protobuf with one long label',
      ...loki('application/x-protobuf', compress(protobufOf(labels))),
    },
    {
      name: 'browser report',
      path: paths.browser(),
      body: Buffer.from(
        JSON.stringify({
          service: 'loop',
          path: '/',
          error: {
            trigger: 'error',
            type: 'Error',
            message: 'm'.repeat(25_000),
            stack: `Error\n${stack}`.padEnd(25_000),
          },
        }),
      ),
      headers: { origin: 'http://shop.example', 'content-type': 'text/plain' },
    },
  ]
}

/** Returns a source map of `sizeBytes`, half of it source text. */
export function largeSourceMap(sizeBytes: number): LargeBody {
  const sources = times(1000, index => `src/file${index}.js`)
  const sourcesContent = sources.map(() => 'const a = 1\n'.repeat(sizeBytes / 2 / 12 / 1000))
  const mappings = 'AAAA,CAAC;'.repeat(sizeBytes / 2 / 10)
  return {
    name: 'source map',
    method: 'PUT',
    path: `${paths.sourceMaps()}?release=1&path=main.js`,
    body: Buffer.from(JSON.stringify({ version: 3, sources, sourcesContent, mappings })),
  }
}
