/**
 * A Fastify service sends its log to the built server through the pino transport. One test kills and restarts the server.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { startServer } from '../../scripts/test/server.ts'
import { paths } from '../../shared/paths.ts'
import { noTimeLimits } from '../../shared/testing/no-time-limits.ts'
import { reservePort } from '../../shared/testing/reserve-port.ts'
import { until } from '../../shared/testing/until.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'

async function startService(t: Test, sixpane: string, env: Record<string, string> = {}) {
  const file = fileURLToPath(new URL('pino-service.mjs', import.meta.url))
  const child = spawn(process.execPath, [file], {
    env: { PATH: process.env.PATH, SIXPANE_URL: sixpane, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  t.teardown(() => child.kill('SIGKILL'))
  let errorOutput = ''
  child.stderr.on('data', chunk => {
    errorOutput += chunk
  })
  const [origin] = await once(child.stdout, 'data')
  return {
    /** The text that the service has written to standard error. */
    errorOutput: () => errorOutput,
    origin: String(origin).trim(),
    async get(path: string): Promise<number> {
      const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01` }
      return (await fetch(String(origin).trim() + path, { headers })).status
    },
    /** Stops the service as a container engine would. Returns the exit code. */
    async stop(): Promise<number | null> {
      child.kill('SIGTERM')
      // Unlike `exit`, `close` follows all error output.
      await once(child, 'close')
      return child.exitCode
    },
  }
}

/** Returns the events that match a search. */
async function found(origin: string, q: string, headers = {}): Promise<Record<string, unknown>[]> {
  const response = await fetch(origin + paths.export({ q, format: 'ndjson' }), { headers })
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return text
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line))
}

t.test('the log lines of a service are stored with all their fields', async t => {
  const server = await startServer()
  t.teardown(() => server.stop())
  const service = await startService(t, server.origin)
  t.equal(await service.get('/cart'), 200)
  t.equal(await service.get('/checkout'), 500)

  // The transport sends the lines after a delay, while the service runs.
  const events = await until(
    () => found(server.origin, 'service:shop'),
    ({ length }) => length >= 6,
  )
  const byMessage = (message: RegExp) => events.find(each => message.test(String(each.message)))
  const common = { service: 'shop', release: '1.4.0', source: 'ndjson' }
  t.match(byMessage(/about to expire/), {
    ...common,
    severity: 'warn',
    traceId,
    requestId: 'req-1',
    attributes: { cart: { items: 3 } },
  })
  t.match(byMessage(/card declined/), {
    ...common,
    severity: 'error',
    traceId,
    requestId: 'req-2',
    digest: '2338471',
    exception: { type: 'TypeError', message: 'card declined', stack: /pino-service\.mjs:\d+/ },
    fingerprint: /^[0-9a-f]{10}$/,
  })
  t.equal(await service.stop(), 0)
})

t.test('the id shown to a visitor of a Fastify application leads to all lines of the request', async t => {
  const server = await startServer()
  t.teardown(() => server.stop())
  const service = await startService(t, server.origin)
  const response = await fetch(`${service.origin}/pay`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"cart":7}',
  })
  const { digest, ...body } = await response.json()
  t.same(body, { statusCode: 500, error: 'Internal Server Error' })

  const failures = await until(
    () => found(server.origin, `digest:${digest}`),
    ({ length }) => length > 0,
  )
  t.match(failures, [{ message: 'bank unreachable', digest, traceId: /^[\da-f]{32}$/ }])
  t.equal(failures.length, 1)
  const lines = await until(
    () => found(server.origin, `trace:${failures[0]?.traceId}`),
    ({ length }) => length >= 3,
  )
  t.same(lines.map(({ message }) => message).sort(), [
    'bank unreachable',
    'incoming request',
    'request completed',
  ])

  const page = await fetch(server.origin + paths.activities({ q: digest }))
  t.match(page.url, paths.development(), 'the digest opens the page of the failure')
  t.equal(await service.stop(), 0)
})

t.test('lines are sent even if the service exits immediately', async t => {
  const server = await startServer({ SIXPANE_PASSWORD: 'correct horse' })
  t.teardown(() => server.stop())
  const env = { SIXPANE_PASSWORD: 'correct horse', ...noTimeLimits }
  const service = await startService(t, server.origin, env)
  await service.get('/lines?from=0&to=2000')
  t.equal(await service.stop(), 0)
  const authorization = `Basic ${Buffer.from(':correct horse').toString('base64')}`
  const events = await found(server.origin, 'service:shop steady', { authorization })
  t.equal(events.length, 2000)
})

t.test('no line is lost or duplicated when the server is killed and restarted', async t => {
  const folder = t.testdir()
  const env = { PORT: String(await reservePort(t)) }
  let server = await startServer(env, { folder })
  t.teardown(() => server.kill())
  const service = await startService(t, server.origin)

  const step = 1000
  const kills = 2
  for (let round = 0; round < kills; round++) {
    // Some lines are stored, some are in transit, and some are logged while the server is down.
    await service.get(`/lines?from=${2 * round * step}&to=${(2 * round + 1) * step}`)
    await until(async () => (await found(server.origin, `service:shop id:${2 * round * step}`)).length > 0)
    await service.get(`/lines?from=${(2 * round + 1) * step}&to=${(2 * round + 2) * step - step / 2}`)
    await server.kill()
    await service.get(`/lines?from=${(2 * round + 2) * step - step / 2}&to=${(2 * round + 2) * step}`)
    server = await startServer(env, { folder })
  }
  // When it stops, the service sends lines for only five seconds, so the last line must already be stored.
  await until(async () => (await found(server.origin, `service:shop id:${2 * kills * step - 1}`)).length > 0)
  t.equal(await service.stop(), 0)

  const ids = (await found(server.origin, 'service:shop steady')).map(
    ({ attributes }) => Object(attributes).id,
  )
  t.same(
    ids.toSorted((a, b) => a - b),
    Array.from({ length: 2 * kills * step }, (_, id) => id),
  )
  t.equal(await server.stop(), 0)
})

t.test('a service works even if Sixpane is not running', async t => {
  const service = await startService(t, 'http://127.0.0.1:1')
  t.equal(await service.get('/cart'), 200)
  t.equal(await service.get('/checkout'), 500)
  t.equal(await service.stop(), 0)
  t.match(service.errorOutput(), /^\(sixpane\/pino\) Log lines were dropped: /m)
})
