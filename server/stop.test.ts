/** Tests that stopping the built server loses no requests on keep-alive connections and no acknowledged events. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { type StartedServer, startServer } from '../scripts/test/server.ts'
import { paths } from '../shared/paths.ts'
import { noTimeLimits } from '../shared/testing/no-time-limits.ts'
import { reservePort } from '../shared/testing/reserve-port.ts'
import { until } from '../shared/testing/until.ts'

type Answer = { status: number; headers: IncomingHttpHeaders; body: string }

function send(origin: string, path: string, agent: Agent, body?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(origin + path, { agent, method: body === undefined ? 'GET' : 'POST' }, response => {
      const { statusCode = 0, headers } = response
      text(response).then(content => resolve({ status: statusCode, headers, body: content }), reject)
    })
    sent.once('error', reject)
    sent.end(body)
  })
}

/** Returns the messages of all stored events that this test's clients have sent. */
async function storedMessages({ origin }: StartedServer): Promise<Set<string>> {
  const response = await fetch(`${origin}${paths.export({ q: 'service:shop' })}&format=ndjson`)
  const lines = (await response.text()).trimEnd().split('\n')
  return new Set(lines.map(line => JSON.parse(line).message))
}

t.test(
  'SIGTERM: each keep-alive connection ends with a response, and acknowledged events are stored',
  async t => {
    const folder = t.testdir({})
    const server = await startServer(noTimeLimits, { folder })
    t.teardown(() => server.kill())
    const acknowledged: string[] = []
    const started: Promise<unknown>[] = []
    /** Sends requests on one connection until a response contains `Connection: close`. */
    const client = async (name: number, onFirst: () => void) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      t.teardown(() => agent.destroy())
      for (let index = 0; ; index++) {
        const msg = `event ${name}-${index}`
        const response = await send(
          server.origin,
          paths.ingest(),
          agent,
          JSON.stringify({ msg, service: 'shop' }),
        )
        t.equal(response.status, 200)
        acknowledged.push(msg)
        onFirst()
        if (response.headers.connection === 'close') return
      }
    }
    const clients = Array.from({ length: 20 }, (_, name) => {
      let ended: Promise<void> = Promise.resolve()
      started.push(
        new Promise<void>(resolve => {
          ended = client(name, resolve)
        }),
      )
      return ended
    })
    await Promise.all(started)
    const exited = once(server.process, 'exit')
    server.process.kill('SIGTERM')
    await Promise.all(clients)
    t.same(await exited, [0, null])

    const restarted = await startServer({}, { folder })
    t.teardown(() => restarted.stop())
    const stored = await storedMessages(restarted)
    t.same(
      acknowledged.filter(msg => !stored.has(msg)),
      [],
    )
  },
)

t.test('SIGTERM: the readiness probe fails immediately, but other requests still succeed', async t => {
  const server = await startServer(noTimeLimits)
  t.teardown(() => server.stop())
  // Connected before the signal, because a server without connections stops immediately.
  const [probe, client] = [new Agent({ keepAlive: true }), new Agent({ keepAlive: true })]
  for (const agent of [probe, client]) {
    t.teardown(() => agent.destroy())
    await send(server.origin, paths.livez(), agent)
  }
  server.process.kill('SIGTERM')
  await server.line(({ msg }) => msg === 'Stopping')
  const body = JSON.stringify({ msg: 'late', service: 'shop' })
  const [ready, late] = await Promise.all([
    send(server.origin, paths.readyz(), probe),
    send(server.origin, paths.ingest(), client, body),
  ])
  t.equal(ready.status, 503)
  t.equal(ready.headers.connection, 'close')
  t.equal(late.status, 200)
})

t.test('a second signal cuts off requests, keeps acknowledged events, and exits with 1', async t => {
  const folder = t.testdir({})
  const server = await startServer(noTimeLimits, { folder })
  t.teardown(() => server.kill())
  await server.send({ msg: 'acknowledged', service: 'shop' })
  // The server waits for this request, because its body never ends.
  const socket = connect(Number(new URL(server.origin).port), '127.0.0.1')
  socket.on('error', () => {})
  t.teardown(() => socket.destroy())
  socket.write(`POST ${paths.ingest()} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{`)
  await once(socket, 'connect')
  const exited = once(server.process, 'close')
  server.process.kill('SIGTERM')
  await server.line(({ msg }) => msg === 'Stopping')
  // Signals shortly after the first one are ignored as duplicates.
  const repeated = setInterval(() => server.process.kill('SIGTERM'), 20)
  t.same(await exited, [1, null])
  clearInterval(repeated)
  const messages = server.lines.map(({ msg }) => msg)
  t.ok(messages.includes('Stopping without waiting for requests'))
  t.equal(messages.at(-1), 'Stopped', 'the store is closed')

  const restarted = await startServer({}, { folder })
  t.teardown(() => restarted.stop())
  t.ok((await storedMessages(restarted)).has('acknowledged'))
})

t.test(
  'the server works and stops even if the disk with its log is full',
  { skip: !existsSync('/dev/full') && 'this system has no /dev/full' },
  async t => {
    const port = String(await reservePort(t))
    const origin = `http://127.0.0.1:${port}`
    const log = openSync('/dev/full', 'w')
    const main = fileURLToPath(new URL('../dist/server/main.js', import.meta.url))
    const server = spawn(process.execPath, [main], {
      env: { PORT: port, SIXPANE_DATA: t.testdir({}) },
      stdio: ['ignore', log, 'ignore'],
    })
    closeSync(log)
    t.teardown(() => server.kill('SIGKILL'))
    const isReady = () =>
      fetch(origin + paths.readyz()).then(
        ({ ok }) => ok,
        () => false,
      )
    await until(isReady)
    for (let request = 0; request < 3; request += 1) {
      const response = await fetch(origin + paths.ingest(), { method: 'POST', body: '{"msg":"hello"}' })
      t.equal(response.status, 200)
    }
    server.kill('SIGTERM')
    t.same(await once(server, 'exit'), [0, null])
  },
)
