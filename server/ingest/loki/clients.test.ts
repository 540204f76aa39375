/** Tests the built server with real Loki clients. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import t from 'tap'
import { createLogger, format } from 'winston'
import LokiTransport from 'winston-loki'
import { startServer } from '../../../scripts/test/server.ts'
import { paths } from '../../../shared/paths.ts'

const password = 'correct horse'
const basic = { username: 'sixpane', password }
const server = await startServer({ SIXPANE_PASSWORD: password })
t.teardown(() => server.stop())

const traceId = '0af7651916cd43dd8448eb211c80319c'
const spanId = 'b7ad6b7169203331'

/** Returns the events that match a search, oldest first. */
async function search(q: string): Promise<Record<string, unknown>[]> {
  const authorization = `Basic ${Buffer.from(`${basic.username}:${password}`).toString('base64')}`
  const response = await fetch(server.origin + paths.export({ q, format: 'ndjson' }), {
    headers: { authorization },
  })
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  const lines = text.split('\n').filter(line => line !== '')
  return lines.map(line => JSON.parse(line)).toReversed()
}

t.test('pino with pino-loki', async t => {
  const options = {
    host: server.origin,
    basicAuth: basic,
    labels: { service_name: 'shop-pino', version: '1.4.0', env: 'prod' },
  }
  const service = `
    import { pino } from 'pino'
    const transport = pino.transport({ target: 'pino-loki', options: ${JSON.stringify(options)} })
    const logger = pino(transport)
    logger.info({ req: { method: 'GET' }, route: '/cart/:id', res: { statusCode: 200 }, responseTime: 12 }, 'request completed')
    logger.error({
      traceId: '${traceId}', reqId: 'req-1', meta: { span_id: '${spanId}' }, err: new RangeError('card declined'),
    }, 'checkout failed')
    // Waiting for the transport does not keep the process alive in Node 24.
    const alive = setInterval(() => {}, 60_000)
    transport.once('close', () => clearInterval(alive))
    transport.end()
  `
  const folder = t.testdir({ 'service.mjs': service })
  const child = spawn(process.execPath, [join(folder, 'service.mjs')], {
    env: { PATH: process.env.PATH },
    stdio: 'inherit',
  })
  t.same(await once(child, 'exit'), [0, null])

  const events = await search('service:shop-pino')
  t.match(events, [
    {
      severity: 'info',
      release: '1.4.0',
      source: 'loki',
      message: 'request completed',
      method: 'GET',
      route: '/cart/:id',
      status: 200,
      durationMs: 12,
      attributes: { env: 'prod' },
    },
    {
      severity: 'error',
      release: '1.4.0',
      source: 'loki',
      message: 'checkout failed',
      requestId: 'req-1',
      traceId,
      spanId,
      exception: {
        type: 'RangeError',
        message: 'card declined',
        stack: /RangeError: card declined\n {4}at /,
      },
      fingerprint: /^[0-9a-f]{10}$/,
    },
  ])
  t.equal(events.length, 2)
  t.same(await search(`trace:${traceId} service:shop-pino severity:error`), events.slice(1))
})

// Fail if snappy is missing, because winston-loki would silently send JSON.
createRequire(import.meta.url)('snappy')

const variants = {
  'shop-protobuf': {},
  'shop-protobuf-json': { format: format.json() },
  'shop-json': { json: true },
}
for (const [service, options] of Object.entries(variants)) {
  t.test(`winston with winston-loki: ${service}`, async t => {
    const failures: unknown[] = []
    const transport = new LokiTransport({
      host: server.origin,
      basicAuth: `${basic.username}:${password}`,
      labels: { app: service, version: '2.0.0' },
      gracefulShutdown: false,
      onConnectionError: error => failures.push(error),
      ...options,
    })
    const logger = createLogger({
      level: 'debug',
      format: format.combine(format.errors({ stack: true }), format.json()),
      transports: [transport],
    })
    logger.warn('slow query', { trace_id: traceId, durationMs: 1200, user: { plan: 'pro' } })
    logger.error(new RangeError('card declined'))
    logger.debug('only text')
    await transport.close()

    t.same(failures, [])
    const events = await search(`service:${service}`)
    t.match(
      events.toSorted((one, other) => String(one.message).localeCompare(String(other.message))),
      [
        {
          severity: 'error',
          release: '2.0.0',
          message: 'card declined',
          exception: { type: /Error/, message: 'card declined', stack: /card declined\n {4}at / },
          fingerprint: /^[0-9a-f]{10}$/,
        },
        { severity: 'debug', source: 'loki', message: 'only text' },
        {
          severity: 'warn',
          message: 'slow query',
          traceId,
          durationMs: 1200,
          attributes: { user: { plan: 'pro' } },
        },
      ],
    )
    t.equal(events.length, 3)
  })
}
