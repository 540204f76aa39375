import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type RequestListener, request } from 'node:http'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { startServer } from '../../scripts/test/server.ts'
import { paths } from '../../shared/paths.ts'
import { passOnTraces } from './tracing.ts'

t.jobs = 3

type ReceivedSpan = {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  kind: number
  status: { code: number }
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
}

const server = 2
const client = 3
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const caller = '00f067aa0ba902b7'
const headers = { traceparent: `00-${traceId}-${caller}-01`, tracestate: 'vendor=1' }

async function listen(t: Test, handle: RequestListener): Promise<string> {
  const server = createServer(handle).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

/** Starts an OTLP collector that records the spans that it receives. */
async function collect(t: Test) {
  const spans: ReceivedSpan[] = []
  const services = new Set<unknown>()
  const endpoint = await listen(t, async (request, response) => {
    const { resourceSpans } = JSON.parse(await text(request))
    for (const { resource, scopeSpans } of resourceSpans) {
      const [name] = resource.attributes.filter(({ key }: { key: string }) => key === 'service.name')
      services.add(name.value.stringValue)
      for (const scope of scopeSpans) spans.push(...scope.spans)
    }
    response.end('{}')
  })
  const childrenOf = (parent: ReceivedSpan | undefined) =>
    spans.filter(({ parentSpanId }) => parentSpanId === parent?.spanId)
  return { endpoint, spans, services, childrenOf }
}

/** Starts a webhook receiver that records the headers of each message. */
async function receive(t: Test, status: number) {
  const received: IncomingHttpHeaders[] = []
  const url = await listen(t, async (request, response) => {
    received.push(request.headers)
    response.writeHead(status).end()
  })
  return { url, received }
}

/** Adds a webhook on the Settings screen, and sends it a test message in the caller's trace. */
async function testWebhook(origin: string, url: string) {
  const post = (form: Record<string, string>, more = {}) =>
    fetch(origin + paths.settings(), {
      method: 'POST',
      headers: { origin, ...more },
      body: new URLSearchParams(form),
      redirect: 'manual',
    })
  const added = await post({ form: 'add-webhook', name: 'Chat', url, new: 'on', minutes: '5' })
  const [, id = ''] = /name="id" value="([\w-]+)"/.exec(await added.text()) ?? []
  return (await post({ form: 'test-webhook', id }, headers)).status
}

function attributesOf(span: ReceivedSpan | undefined) {
  return Object.fromEntries(
    (span?.attributes ?? []).map(({ key, value }) => [key, value.stringValue ?? value.intValue]),
  )
}

t.test(
  "exports spans of requests, renders and queries, in the caller's trace",
  { buffered: true },
  async t => {
    const { endpoint, spans, services, childrenOf } = await collect(t)
    const sixpane = await startServer({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })
    t.teardown(() => sixpane.stop())
    await sixpane.send({ service: 'shop', message: 'hello' })
    t.equal((await fetch(sixpane.origin + paths.activities(), { headers })).status, 200)
    t.equal((await fetch(sixpane.origin + paths.livez())).status, 200)
    await sixpane.stop()

    const [request, ...others] = spans.filter(({ kind }) => kind === server)
    t.same(others, [], 'probes and ingest have no spans')
    t.match(request, { name: 'GET /activities', traceId, parentSpanId: caller })
    t.match(attributesOf(request), {
      'http.request.method': 'GET',
      'http.route': '/activities',
      'http.response.status_code': 200,
    })
    const parts = childrenOf(request)
    t.same(parts.map(({ name }) => name).sort(), ['prepare', 'render'])
    const queries = childrenOf(parts.find(({ name }) => name === 'prepare')).map(({ name }) => name)
    t.ok(queries.includes('store events'), queries.join())
    t.ok(spans.every(span => span.traceId === traceId))
    t.same([...services], ['sixpane'])
  },
)

t.test('exports the span of a request whose client disconnects', { buffered: true }, async t => {
  const { endpoint, spans } = await collect(t)
  const sixpane = await startServer({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })
  t.teardown(() => sixpane.stop())
  // The body never arrives, so the server is still reading it when the connection closes.
  const unfinished = request(sixpane.origin + paths.settings(), {
    method: 'POST',
    headers: {
      ...headers,
      origin: sixpane.origin,
      expect: '100-continue',
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': 10,
    },
  })
  unfinished.on('error', () => {})
  unfinished.flushHeaders()
  await once(unfinished, 'continue')
  unfinished.destroy()
  await sixpane.stop()

  const [span, ...others] = spans
  t.same(others, [])
  t.match(span, { name: 'POST /settings', traceId, status: { code: 2 } })
  t.match(attributesOf(span), { 'error.type': 'disconnected' })
  t.notOk('http.response.status_code' in attributesOf(span))
})

t.test(
  "a webhook call belongs to the trace of the request that caused it, and the webhook's secret path is not exported",
  { buffered: true },
  async t => {
    const { endpoint, spans } = await collect(t)
    const { url, received } = await receive(t, 500)
    const sixpane = await startServer({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })
    t.teardown(() => sixpane.stop())
    t.equal(await testWebhook(sixpane.origin, `${url}/secret`), 303)
    await sixpane.stop()

    const [call] = spans.filter(({ kind }) => kind === client)
    t.match(call, { name: 'POST', traceId, status: { code: 2 } })
    t.match(attributesOf(call), {
      'server.address': '127.0.0.1',
      'server.port': Number(new URL(url).port),
      'http.response.status_code': 500,
      'error.type': '500',
    })
    t.notMatch(JSON.stringify(spans), /secret/)
    t.match(received, [{ traceparent: `00-${traceId}-${call?.spanId}-01`, tracestate: 'vendor=1' }])
  },
)

t.test('exports no spans of a trace that the caller did not sample', { buffered: true }, async t => {
  const { endpoint, spans } = await collect(t)
  const sixpane = await startServer({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })
  t.teardown(() => sixpane.stop())
  const unsampled = { traceparent: `00-${traceId}-${caller}-00` }
  t.equal((await fetch(sixpane.origin + paths.activities(), { headers: unsampled })).status, 200)
  await sixpane.stop()
  t.same(spans, [])
})

t.test('logs that a collector rejects spans, and pages still work', { buffered: true }, async t => {
  const endpoint = await listen(t, (_request, response) => response.writeHead(400).end())
  const sixpane = await startServer({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_BSP_SCHEDULE_DELAY: '1' })
  t.teardown(() => sixpane.stop())
  t.equal((await fetch(sixpane.origin + paths.home())).status, 200)
  t.match(await sixpane.line(({ msg }) => String(msg).startsWith('Failed to export spans')), {
    level: 40,
  })
})

t.test('a rejected last export is logged once, and not as a failed shutdown', { buffered: true }, async t => {
  const endpoint = await listen(t, (_request, response) => response.writeHead(400).end())
  const sixpane = await startServer({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })
  t.teardown(() => sixpane.stop())
  t.equal((await fetch(sixpane.origin + paths.home())).status, 200)
  t.equal(await sixpane.stop(), 0)
  const problems = sixpane.lines.filter(({ level }) => Number(level) >= 40)
  t.match(problems, [{ level: 40, msg: /^Failed to export spans/ }])
  t.equal(problems.length, 1)
})

t.test('a collector that does not respond does not delay the shutdown', { buffered: true }, async t => {
  const endpoint = await listen(t, () => {})
  const sixpane = await startServer({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })
  t.teardown(() => sixpane.stop())
  t.equal((await fetch(sixpane.origin + paths.home())).status, 200)
  t.equal(await sixpane.stop(), 0)
})

t.test('without an exporter, the trace headers are passed on unchanged', { buffered: true }, async t => {
  const { url, received } = await receive(t, 200)
  const sixpane = await startServer()
  t.teardown(() => sixpane.stop())
  t.equal(await testWebhook(sixpane.origin, url), 303)
  t.match(received, [headers])
})

t.test('only valid trace headers are passed on', { buffered: true }, async t => {
  const { url, received } = await receive(t, 200)
  const tracing = passOnTraces()
  const request = { method: 'GET', route: '/', path: '/' }
  const send = (sent: Record<string, string>) =>
    new Promise(resolve => {
      const { run } = tracing.startRequest({ ...request, headers: sent })
      run(() => resolve(tracing.fetch(url, { method: 'GET' })))
    })
  await send({ traceparent: '00-0-0-01', tracestate: 'vendor=1' })
  await send(headers)
  const [first, second] = received
  t.notOk('traceparent' in (first ?? {}) || 'tracestate' in (first ?? {}))
  t.match(second, headers)
})
