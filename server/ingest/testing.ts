import { randomUUID } from 'node:crypto'
import { browserPath, paths } from '../../shared/paths.ts'

/** The path, the body and additional headers of a POST request. */
type IngestRequest = [path: string, body: object | string, headers?: Record<string, string>]

/**
 * Returns the name of each protocol and a new request that contains one event.
 * @param origin the origin of a web page that may send reports
 */
export function requestsOfAllProtocols(origin: string): [string, IngestRequest][] {
  const now = `${Date.now()}000000`
  const span = {
    name: 'GET /',
    traceId: 'a'.repeat(32),
    spanId: 'b'.repeat(16),
    // The kind of a server span.
    kind: 2,
    attributes: [{ key: 'http.request.method', value: { stringValue: 'GET' } }],
    startTimeUnixNano: now,
    endTimeUnixNano: now,
  }
  const scopeLogs = [{ logRecords: [{ body: { stringValue: 'hello' } }] }]
  const vital = { name: 'LCP', value: 1, rating: 'good', navigationType: 'navigate' }
  return Object.entries<IngestRequest>({
    ndjson: [paths.ingest(), { message: 'hello' }],
    'OTLP logs': [paths.otlpLogs(), { resourceLogs: [{ scopeLogs }] }],
    'OTLP traces': [paths.otlpTraces(), { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }],
    Loki: [paths.lokiPush(), { streams: [{ stream: {}, values: [[now, 'hello']] }] }],
    Sentry: ['/shop/api/1/envelope/', `{}\n{"type":"event"}\n{"message":"hello ${randomUUID()}"}`],
    browser: [browserPath, { service: 'shop', path: '/', vitals: [vital] }, { origin }],
  })
}
