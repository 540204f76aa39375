/** Tests the built server with the OpenTelemetry SDK's exporters. One test kills the server while they send. */
import { EventEmitter, once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, request as httpRequest } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPLogExporter as JsonLogs } from '@opentelemetry/exporter-logs-otlp-http'
import { OTLPLogExporter as ProtobufLogs } from '@opentelemetry/exporter-logs-otlp-proto'
import { OTLPTraceExporter as JsonTraces } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtobufTraces } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import t, { type Test } from 'tap'
import { startServer } from '../../../scripts/test/server.ts'
import { paths } from '../../../shared/paths.ts'

process.env.OTEL_EXPORTER_OTLP_COMPRESSION = 'gzip'

/** Returns the events that match a search. */
async function search(origin: string, q: string): Promise<Record<string, unknown>[]> {
  const upstream = await fetch(origin + paths.export({ q, format: 'ndjson' }))
  const text = await upstream.text()
  if (!upstream.ok) throw new Error(text)
  return text
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line))
}

t.test('searches find logs and traces from both exporters immediately after the acknowledgement', async t => {
  const server = await startServer()
  t.teardown(() => server.stop())
  const exporters = [
    { encoding: 'protobuf', Logs: ProtobufLogs, Traces: ProtobufTraces },
    { encoding: 'json', Logs: JsonLogs, Traces: JsonTraces },
  ]
  for (const { encoding, Logs, Traces } of exporters) {
    const service = `shop-${encoding}`
    const resource = resourceFromAttributes({ 'service.name': service, 'service.version': '1.4.0' })
    const spanProcessor = new BatchSpanProcessor(new Traces({ url: server.origin + paths.otlpTraces() }))
    const traces = new BasicTracerProvider({ resource, spanProcessors: [spanProcessor] })
    const exporter = new Logs({ url: server.origin + paths.otlpLogs() })
    const logs = new LoggerProvider({ resource, processors: [new BatchLogRecordProcessor({ exporter })] })
    const error = new TypeError(`no cart in ${encoding}`)

    const span = traces.getTracer('http').startSpan('POST', { kind: SpanKind.SERVER })
    const { traceId, spanId } = span.spanContext()
    span.setAttributes({ 'http.request.method': 'POST', 'http.route': '/cart/:id' })
    span.setAttribute('http.response.status_code', 500)
    span.recordException(error)
    span.setStatus({ code: SpanStatusCode.ERROR })
    span.end()
    logs.getLogger('cart').emit({
      severityNumber: 13, // WARN
      body: 'cart expired',
      attributes: { cart: { items: [1, { sku: 'a-7' }] } },
      context: trace.setSpan(ROOT_CONTEXT, span),
    })
    await Promise.all([logs.forceFlush(), traces.forceFlush()])
    const acknowledgedMs = performance.now()
    const events = await search(server.origin, `service:${service}`)
    t.comment(
      `${encoding}: events found ${Math.round(performance.now() - acknowledgedMs)} ms after the acknowledgement`,
    )
    await Promise.all([logs.shutdown(), traces.shutdown()])

    const common = { service, release: '1.4.0', source: 'otlp', traceId, spanId }
    const byMessage = (message: string) => events.find(each => each.message === message)
    t.equal(events.length, 3)
    t.match(byMessage('cart expired'), {
      ...common,
      severity: 'warn',
      attributes: { cart: { items: [1, { sku: 'a-7' }] }, 'otel.scope.name': 'cart' },
    })
    t.match(byMessage('POST /cart/:id 500'), {
      ...common,
      severity: 'error',
      method: 'POST',
      route: '/cart/:id',
      status: 500,
      durationMs: Number,
    })
    t.match(byMessage(error.message), {
      ...common,
      severity: 'error',
      route: '/cart/:id',
      exception: { type: 'TypeError', message: error.message, stack: /clients\.test/ },
    })
    const page = await fetch(server.origin + paths.activities({ q: `trace:${traceId}` }))
    t.match(await page.text(), 'cart expired')
  }
})

t.test('no event is lost or duplicated if responses are lost and the server is killed', async t => {
  const folder = t.testdir()
  let server = startServer({}, { folder })
  const network = await lossyNetwork(t, async () => (await server).origin)

  const senders = Array.from({ length: 4 }, (_, sender) => {
    const url = network.origin + paths.otlpLogs()
    const Logs = sender % 2 === 0 ? ProtobufLogs : JsonLogs
    const exporter = new Logs({ url, timeoutMillis: 60_000 })
    const options = { exporter, maxExportBatchSize: 10, exportTimeoutMillis: 60_000 }
    return new LoggerProvider({
      resource: resourceFromAttributes({ 'service.name': 'steady' }),
      processors: [new BatchLogRecordProcessor(options)],
    })
  })
  const ids = Array.from({ length: 400 }, (_, id) => id)
  for (const id of ids) senders[id % 4]?.getLogger('steady').emit({ body: 'steady', attributes: { id } })
  const sent = Promise.all(senders.map(sender => sender.shutdown()))

  for (const requests of [8, 25]) {
    await network.forwarded(requests)
    const running = await server
    server = running.kill().then(() => startServer({}, { folder }))
  }
  await sent
  t.ok(network.lost() > 3, 'some responses to stored requests were lost')
  const { origin, stop } = await server
  const stored = (await search(origin, 'service:steady')).map(event => Object(event.attributes).id)
  t.same(
    stored.toSorted((a, b) => a - b),
    ids,
  )
  t.equal(await stop(), 0)
})

t.test(
  'invalid input gets the responses that the protocol specifies, and does not affect other clients',
  async t => {
    const server = await startServer()
    t.teardown(() => server.stop())
    const post = (body: Buffer, headers: Record<string, string>) =>
      fetch(server.origin + paths.otlpLogs(), { method: 'POST', body: new Uint8Array(body), headers })
    const gzip = { 'content-encoding': 'gzip' }
    const protobuf = { 'content-type': 'application/x-protobuf' }
    const json = { 'content-type': 'application/json' }

    // Consecutive gzip members count as one stream: a mebibyte decompresses to a gibibyte.
    const bomb = Buffer.concat(Array<Buffer>(64).fill(gzipSync(Buffer.alloc(2 ** 24))))
    const deep = Buffer.from(`{"resourceLogs":${'['.repeat(50_000)}${']'.repeat(50_000)}}`)
    const log = (record: string) =>
      Buffer.from(`{"resourceLogs":[{"scopeLogs":[{"logRecords":[${record}]}]}]}`, 'latin1')
    const invalid: [string, number, Buffer, Record<string, string>][] = [
      ['bomb', 413, bomb, { ...protobuf, ...gzip }],
      ['bomb', 413, bomb, { ...json, ...gzip }],
      ['truncated gzip', 400, bomb.subarray(0, 5000), { ...protobuf, ...gzip }],
      ['wrong protobuf', 400, Buffer.alloc(1000, 0xff), protobuf],
      ['JSON as protobuf', 400, log(''), protobuf],
      ['deep JSON', 400, deep, json],
      ['times', 200, log('{"timeUnixNano":"NaN"},{"timeUnixNano":"1"},{"timeUnixNano":1e300}'), json],
      ['invalid UTF-8', 200, log('{"body":{"stringValue":"\xff\xfe"},"timeUnixNano":2}'), json],
      ['type', 415, log(''), { 'content-type': 'text/plain' }],
    ]
    const before = await peakMemoryOf(server.process.pid)
    const attack = new AbortController()
    const others = (async () => {
      let slowestMs = 0
      for (let count = 0; ; count += 1) {
        const sentMs = performance.now()
        await server.send({ name: 'other', msg: 'served' })
        slowestMs = Math.max(slowestMs, performance.now() - sentMs)
        if (attack.signal.aborted)
          return `${count} other requests were served, the slowest in ${Math.round(slowestMs)} ms`
      }
    })()
    for (let round = 0; round < 3; round += 1) {
      await Promise.all(
        invalid.map(async ([title, status, body, headers]) => {
          const upstream = await post(body, headers)
          t.equal(upstream.status, status, title)
          if (status !== 415) t.equal(upstream.headers.get('content-type'), headers['content-type'])
        }),
      )
    }
    attack.abort()
    t.comment(await others)
    const grown = (await peakMemoryOf(server.process.pid)) - before
    t.comment(`${Math.round(grown / 1e6)} MB increase in peak memory`)
    t.ok(grown < 500e6, 'the compression bomb is not decompressed')

    // Repeated requests are stored once.
    const stored = await search(server.origin, 'source:otlp')
    t.equal(stored.length, 4)
    t.match(
      stored.find(({ message }) => message !== ''),
      { message: '\ufffd\ufffd' },
    )
  },
)

/** Returns the peak memory of a process in bytes, or 0 if the system does not provide it. */
async function peakMemoryOf(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024
}

/**
 * Starts a proxy that drops the first response to every fifth request. While the server restarts, the proxy delays requests,
 * because the exporters give up after six attempts.
 */
async function lossyNetwork(t: Test, target: () => Promise<string>) {
  const seen = new EventEmitter()
  const known = new Set<string>()
  let [forwarded, lost] = [0, 0]
  const proxy = createServer(async (request, response) => {
    const body = await buffer(request)
    const key = body.toString('base64')
    const isDropped = !known.has(key) && known.size % 5 === 0
    known.add(key)
    const { method, headers } = request
    const onward = httpRequest(
      (await target()) + request.url,
      { method, headers, agent: false },
      upstream => {
        if (isDropped) {
          lost += 1
          request.socket.destroy()
          return
        }
        response.writeHead(upstream.statusCode ?? 500, upstream.headers)
        upstream.pipe(response)
      },
    )
    onward.on('error', () => request.socket.destroy())
    onward.on('finish', () => {
      forwarded += 1
      seen.emit(String(forwarded))
    })
    onward.end(body)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  t.teardown(() => proxy.close())
  const address = proxy.address()
  const port = typeof address === 'object' ? address?.port : null
  return {
    origin: `http://127.0.0.1:${port}`,
    lost: () => lost,
    /** Resolves when this number of requests has been forwarded. */
    forwarded: async (count: number) => {
      if (forwarded < count) await once(seen, String(count))
    },
  }
}
