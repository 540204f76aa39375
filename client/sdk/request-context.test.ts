import { createServer, get, type IncomingMessage, type RequestListener } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setImmediate as tick } from 'node:timers/promises'
import { context, ROOT_CONTEXT, TraceFlags, trace } from '@opentelemetry/api'
import fc from 'fast-check'
import { fastify } from 'fastify'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import { createReporter } from './reporter/reporter.ts'
import { currentRequest, inRequest, requestIds, startRequestContext } from './request-context.ts'
import { ingestServer } from './testing/ingest-server.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const traceparent = `00-${traceId}-b7ad6b7169203331-01`

let stop = () => {}
t.beforeEach(() => {
  stop = startRequestContext()
})
t.afterEach(() => stop())

async function listen(t: Test, listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  return { origin: `http://127.0.0.1:${address.port}`, port: address.port }
}

/** A logger that collects its lines. */
function recorder(options: pino.LoggerOptions = {}) {
  const lines: string[] = []
  const logger = pino({ base: null, timestamp: false, ...options }, { write: line => void lines.push(line) })
  return { logger, lines, records: () => lines.map(line => JSON.parse(line)) }
}

t.test('a request continues the trace from its header', async t => {
  const { origin } = await listen(t, (_, response) => response.end(JSON.stringify(requestIds())))
  const ids = await (await fetch(origin, { headers: { traceparent } })).json()
  t.equal(ids.traceId, traceId)
  t.match(ids.spanId, /^[\da-f]{16}$/)
  t.not(ids.spanId, 'b7ad6b7169203331')
  t.same(requestIds(), {}, 'outside requests, there are no ids')
})

t.test('a Fetch request without a context gets one', async t => {
  const request = new Request('http://shop.example/cart', { headers: { traceparent } })
  const ids = await inRequest(request, async () => {
    t.match(currentRequest(), { method: 'GET', url: '/cart' })
    t.same(inRequest(new Request('http://shop.example/'), requestIds), requestIds(), 'the context is kept')
    return requestIds()
  })
  t.match(ids, { traceId, spanId: /^[\da-f]{16}$/ })
  t.equal(currentRequest(), null)
})

t.test('fetch passes the trace of a request on to the next service', async t => {
  const inner = await listen(t, (request, response) =>
    response.end(JSON.stringify({ ids: requestIds(), headers: request.headers })),
  )
  const outer = await listen(t, async (_, response) => {
    const init = { headers: { TraceParent: '00-own' } }
    const [sent, own] = await Promise.all([fetch(inner.origin), fetch(inner.origin, init)])
    response.end(JSON.stringify({ own: requestIds(), sent: await sent.json(), kept: await own.json() }))
  })
  const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-00`, tracestate: 'vendor=1' }
  const { own, sent, kept } = await (await fetch(outer.origin, { headers })).json()
  t.equal(sent.ids.traceId, traceId)
  t.equal(sent.headers.traceparent, `00-${traceId}-${own.spanId}-00`)
  t.equal(sent.headers.tracestate, 'vendor=1')
  t.equal(kept.headers.traceparent, '00-own', 'a header that the application sets is not replaced')
  const direct = await (await fetch(inner.origin)).json()
  t.equal(
    direct.headers.traceparent,
    undefined,
    'without an incoming request, outgoing requests have no header',
  )
})

const [major = 0] = process.versions.node.split('.').map(Number)
t.test('node:http passes the trace on', { skip: major < 22 && 'needs Node.js 22' }, async t => {
  const inner = await listen(t, (request, response) => response.end(request.headers.traceparent))
  const outer = await listen(t, (_, response) => get(inner.origin, answer => answer.pipe(response)))
  t.match(await (await fetch(outer.origin, { headers: { traceparent } })).text(), traceId)
})

t.test('concurrent and pipelined requests never share ids', async t => {
  const seen: { path: string | undefined; at: string; spanId: unknown; traceId: unknown }[] = []
  const note = (request: IncomingMessage, at: string) => {
    seen.push({ path: request.url, at, spanId: undefined, traceId: undefined, ...requestIds() })
  }
  const { port } = await listen(t, async (request, response) => {
    note(request, 'start')
    request.on('end', () => note(request, 'end'))
    response.on('finish', () => note(request, 'finish'))
    response.on('close', () => note(request, 'close'))
    await text(request)
    note(request, 'body')
    for (let turn = Number(request.url?.slice(1)) % 5; turn > 0; turn--) await tick()
    note(request, 'later')
    response.end('done')
  })
  const requests = 20
  const sendPipelined = (from: number) =>
    new Promise<void>(resolve => {
      const socket = connect(port, '127.0.0.1', () => {
        for (let id = from; id < from + requests; id++)
          socket.write(
            `POST /${id} HTTP/1.1\r\nhost: a\r\ntraceparent: 00-${traceOf(id)}-b7ad6b7169203331-01\r\ncontent-length: 3\r\n${id === from + requests - 1 ? 'connection: close\r\n' : ''}\r\nabc`,
          )
      })
      socket.resume().on('close', () => resolve())
    })
  await Promise.all([0, 100, 200].map(sendPipelined))
  await Promise.all(
    Array.from({ length: requests }, async (_, id) => {
      const headers = { traceparent: `00-${traceOf(300 + id)}-b7ad6b7169203331-01` }
      await (
        await fetch(`http://127.0.0.1:${port}/${300 + id}`, { method: 'POST', body: 'abc', headers })
      ).text()
    }),
  )
  t.equal(seen.filter(({ at }) => at === 'later').length, 4 * requests)
  t.same(
    seen.filter(each => each.traceId !== traceOf(Number(each.path?.slice(1)))),
    [],
  )
  t.equal(new Set(seen.map(({ spanId }) => spanId)).size, 4 * requests)
})

function traceOf(id: number): string {
  return String(id + 1).padStart(32, '0')
}

t.test("every pino line of a request has the request's ids", async t => {
  const { logger, records, lines } = recorder()
  const child = logger.child({ part: 'cart' })
  const { origin } = await listen(t, async (_, response) => {
    logger.info('text')
    child.warn({ items: 3 }, 'fields')
    await tick()
    logger.error(new Error('failed'))
    response.end()
  })
  await fetch(origin, { headers: { traceparent } })
  logger.info('outside')
  const [first, second, third, outside] = records()
  for (const record of [first, second, third]) t.match(record, { traceId, spanId: first.spanId })
  t.match(second, { part: 'cart', items: 3 })
  t.match(third, { msg: 'failed' })
  t.same(outside, { level: 30, msg: 'outside' })
  t.same(child.bindings(), { part: 'cart' })
  t.ok(lines.every(line => line.split('"traceId"').length <= 2))
})

t.test('trace ids that the application logs are not replaced, whatever their field name', async t => {
  const { logger, records } = recorder()
  const { origin } = await listen(t, (_, response) => {
    logger.info({ traceId: 'own' }, 'field')
    logger.child({ trace_id: 'own' }).info('binding')
    logger.info({ 'trace.id': 'own' }, 'dotted')
    response.end()
  })
  await fetch(origin)
  t.same(records(), [
    { level: 30, traceId: 'own', msg: 'field' },
    { level: 30, trace_id: 'own', msg: 'binding' },
    { level: 30, 'trace.id': 'own', msg: 'dotted' },
  ])
})

t.test('a line that is logged inside a serializer gets the ids once', async t => {
  const { logger, lines } = recorder({
    serializers: {
      cart: () => {
        logger.info('inner')
        return 'cart'
      },
    },
  })
  const { origin } = await listen(t, (_, response) => {
    logger.info({ cart: {} }, 'outer')
    response.end()
  })
  await fetch(origin)
  t.same(
    lines.map(line => line.split('"traceId"').length - 1),
    [1, 1],
  )
  t.same(logger.bindings(), {})
})

t.test("Fastify's own lines have the ids, even after a request body was parsed", async t => {
  const lines: string[] = []
  const app = fastify({ logger: { stream: { write: line => void lines.push(line) } } })
  t.teardown(() => app.close())
  app.post('/', async request => {
    request.log.info('handler')
    return ''
  })
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  const headers = { traceparent, 'content-type': 'application/json' }
  await (await fetch(origin, { method: 'POST', body: '{"a":1}', headers })).text()
  await app.close()
  const records = lines.map(line => JSON.parse(line)).filter(({ reqId }) => reqId !== undefined)
  t.same(
    records.map(({ msg, traceId }) => ({ msg, traceId })),
    ['incoming request', 'handler', 'request completed'].map(msg => ({ msg, traceId })),
  )
})

t.test("if OpenTelemetry is active, lines have the active span's ids and no headers are added", async t => {
  const spanContext = { traceId: '1'.repeat(32), spanId: '2'.repeat(16), traceFlags: TraceFlags.SAMPLED }
  const active = trace.setSpan(ROOT_CONTEXT, trace.wrapSpanContext(spanContext))
  let current = active
  trace.setGlobalTracerProvider({ getTracer: () => trace.getTracer('none') })
  context.setGlobalContextManager({
    active: () => current,
    with: (_, run, self, ...args) => Reflect.apply(run, self, args),
    bind: (_, target) => target,
    enable() {
      return this
    },
    disable() {
      return this
    },
  })
  t.teardown(() => {
    trace.disable()
    context.disable()
  })
  const { logger, records } = recorder()
  const inner = await listen(t, (request, response) => response.end(String(request.headers.traceparent)))
  const outer = await listen(t, async (_, response) => {
    logger.info('in a span')
    current = ROOT_CONTEXT
    logger.info('outside spans')
    response.end(await (await fetch(inner.origin)).text())
  })
  t.equal(await (await fetch(outer.origin, { headers: { traceparent } })).text(), 'undefined')
  t.match(records(), [{ traceId: spanContext.traceId, spanId: spanContext.spanId }, { traceId }])
})

t.test('a second start does nothing', async t => {
  const stopSecond = startRequestContext()
  stopSecond()
  const { origin } = await listen(t, (_, response) => response.end(JSON.stringify(requestIds())))
  t.match(await (await fetch(origin, { headers: { traceparent } })).json(), { traceId })
})

t.test('the request context does not start in the edge runtime of Next.js', async t => {
  stop()
  Reflect.set(globalThis, 'EdgeRuntime', 'edge-runtime')
  t.teardown(() => Reflect.deleteProperty(globalThis, 'EdgeRuntime'))
  t.intercept(process, 'getBuiltinModule', { value: () => t.fail(), configurable: true })
  startRequestContext()
  t.same(requestIds(), {})
})

t.test('arbitrary trace headers cause no errors', async t => {
  const inner = await listen(t, (request, response) => response.end(request.headers.traceparent))
  const { port } = await listen(t, async (_, response) =>
    response.end(await (await fetch(inner.origin)).text()),
  )
  const headerText = fc.string({
    unit: fc
      .integer({ min: 0x20, max: 0xff })
      .filter(code => code !== 0x7f)
      .map(code => String.fromCharCode(code)),
  })
  const send = (header: string, state: string) =>
    new Promise<string>((resolve, reject) => {
      const headers = { traceparent: header.trim(), tracestate: state.trim() }
      get({ host: '127.0.0.1', port, headers }, response => text(response).then(resolve, reject)).on(
        'error',
        reject,
      )
    })
  await fc.assert(
    fc.asyncProperty(fc.oneof(headerText, fc.constant(traceparent)), headerText, async (header, state) => {
      const sent = await send(header, state)
      t.match(sent, /^00-[\da-f]{32}-[\da-f]{16}-0[01]$/)
    }),
    { numRuns: 50 },
  )
})

t.test('failures are reported in runtimes without `process`', async t => {
  const { url, received } = await ingestServer(t)
  stop()
  const { restore } = t.intercept(globalThis, 'process', { value: undefined })
  stop = startRequestContext()
  const report = createReporter('sveltekit', { url })
  restore()
  t.same(requestIds(), {})
  await report({ error: new Error('no cart'), method: 'GET', path: '/cart', headers: {} })
  t.match(await received(1), [{ service: 'sveltekit', msg: 'no cart' }])
})
