/** Tests the events created from data that the exporters in OpenTelemetry's SDK send. */
import { DiagLogLevel, diag, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPLogExporter as JsonLogs } from '@opentelemetry/exporter-logs-otlp-http'
import { OTLPLogExporter as ProtobufLogs } from '@opentelemetry/exporter-logs-otlp-proto'
import { OTLPTraceExporter as JsonTraces } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtobufTraces } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import t from 'tap'
import { paths } from '../../../shared/paths.ts'
import { startOtlp } from './testing.ts'

process.env.OTEL_EXPORTER_OTLP_COMPRESSION = 'gzip'
// The SDK reports its send and parse errors here.
const fail = (...words: unknown[]) => t.fail(words.join(' '))
diag.setLogger(
  { error: fail, warn: fail, info: () => {}, debug: () => {}, verbose: () => {} },
  DiagLogLevel.WARN,
)

const resource = resourceFromAttributes({
  'service.name': 'shop',
  'service.version': '1.4.0',
  'host.name': 'shop-1',
})
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const spanId = '00f067aa0ba902b7'
const inSpan = trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: 1 })

const exporters = [
  { encoding: 'protobuf', Logs: ProtobufLogs, Traces: ProtobufTraces },
  { encoding: 'JSON', Logs: JsonLogs, Traces: JsonTraces },
]
for (const { encoding, Logs, Traces } of exporters) {
  t.test(`logs in ${encoding}`, async t => {
    const { origin, stored, keys } = await startOtlp(t)
    const exporter = new Logs({ url: origin + paths.otlpLogs() })
    const processors = [new BatchLogRecordProcessor({ exporter })]
    const provider = new LoggerProvider({ resource, processors })
    const logger = provider.getLogger('checkout', '2.0.0')
    const timeMs = Date.now() - 60_000
    const error = new TypeError('no cart')
    logger.emit({
      timestamp: timeMs,
      severityNumber: 14, // WARN2
      severityText: 'WARNING',
      body: 'stock is low',
      attributes: {
        cart: { items: [1, 2.5, true, null, 'x', { deep: [[]] }], id: 2 ** 53 + 2 },
        time: 'noon',
      },
      context: inSpan,
    })
    logger.emit({
      severityNumber: 17, // ERROR
      body: 'checkout failed',
      attributes: {
        'exception.type': error.name,
        'exception.message': error.message,
        'exception.stacktrace': error.stack ?? '',
        'http.request.method': 'POST',
        'http.route': '/checkout',
        'http.response.status_code': 500,
        password: 'secret',
      },
    })
    logger.emit({ eventName: 'cart.emptied', body: { message: 'emptied', items: 3, level: 'loud' } })
    logger.emit({ body: { items: 3, token: 'secret' }, attributes: { blob: new Uint8Array([1, 2, 255]) } })
    await provider.shutdown()

    t.equal(stored.length, 4)
    t.equal(keys.length, 1)
    const [low, failed, emptied, bare] = stored
    t.match(low, {
      timeMs,
      severity: 'warn',
      service: 'shop',
      release: '1.4.0',
      source: 'otlp',
      body: 'stock is low',
      traceId,
      spanId,
      exception: null,
    })
    t.same(low?.attributes, {
      'host.name': 'shop-1',
      cart: { items: [1, 2.5, true, null, 'x', { deep: [[]] }], id: String(2 ** 53 + 2) },
      'attributes.time': 'noon',
      'otel.scope.name': 'checkout',
      'otel.scope.version': '2.0.0',
      severityNumber: 14,
      severityText: 'WARNING',
      traceFlags: 1,
    })
    t.match(failed, {
      severity: 'error',
      body: 'checkout failed',
      method: 'POST',
      route: '/checkout',
      status: 500,
      traceId: null,
      exception: { type: 'TypeError', message: 'no cart', stack: error.stack },
      fingerprint: String,
      attributes: { password: '[redacted]' },
    })
    t.match(emptied, {
      body: 'emptied',
      severity: 'info',
      attributes: { 'event.name': 'cart.emptied', items: 3 },
    })
    t.match(bare, { body: '{"items":3,"token":"[redacted]"}', attributes: { blob: 'AQL/' } })
  })

  t.test(`traces in ${encoding}`, async t => {
    const { origin, stored, rejected, ignored } = await startOtlp(t)
    const exporter = new Traces({ url: origin + paths.otlpTraces() })
    const spanProcessors = [new BatchSpanProcessor(exporter)]
    const provider = new BasicTracerProvider({ resource, spanProcessors })
    const tracer = provider.getTracer('@opentelemetry/instrumentation-http', '0.223.1')
    const startTime = Date.now() - 60_000
    const error = new TypeError('no cart')

    const server = tracer.startSpan('POST', { kind: SpanKind.SERVER, startTime }, inSpan)
    const context = trace.setSpan(ROOT_CONTEXT, server)
    const handler = tracer.startSpan('handler', { startTime }, context)
    handler.recordException(error, startTime + 5)
    handler.end(startTime + 10)
    tracer.startSpan('GET', { kind: SpanKind.CLIENT, startTime }, context).end()
    server.setAttributes({
      'http.request.method': 'POST',
      'http.route': '/cart/:id',
      'url.path': '/cart/7',
      'http.response.status_code': 500,
    })
    server.recordException(error, startTime + 11)
    server.setStatus({ code: SpanStatusCode.ERROR, message: 'no cart' })
    server.end(startTime + 12.25)
    const { spanId: handlerId } = handler.spanContext()
    const { spanId: serverId } = server.spanContext()
    await provider.shutdown()

    t.equal(stored.length, 2)
    t.equal(ignored(), 1)
    t.equal(rejected(), 0)
    const [thrown, request] = stored
    t.match(thrown, {
      timeMs: startTime + 5,
      severity: 'error',
      service: 'shop',
      release: '1.4.0',
      body: 'no cart',
      traceId,
      spanId: handlerId,
      method: 'POST',
      route: '/cart/:id',
      status: null,
      durationMs: null,
      exception: { type: 'TypeError', message: 'no cart', stack: error.stack },
      fingerprint: String,
    })
    t.match(request, {
      timeMs: startTime + 12.25,
      severity: 'error',
      service: 'shop',
      source: 'otlp',
      body: 'POST /cart/:id 500',
      traceId,
      spanId: serverId,
      method: 'POST',
      route: '/cart/:id',
      status: 500,
      durationMs: 12.25,
      exception: null,
      attributes: { 'url.path': '/cart/7', parentSpanId: spanId, 'otel.status_description': 'no cart' },
    })
  })
}
