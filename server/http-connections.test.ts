import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { connect, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { drainTimes, followConnections } from './http-connections.ts'

const never = new AbortController().signal
const hour = 3_600_000

async function setUp(t: Test, times: Partial<typeof drainTimes>, listener: RequestListener) {
  const server = createServer(listener)
  const connections = followConnections(server, {
    drainMs: hour,
    unusedMs: hour,
    requestsMs: hour,
    ...times,
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const open = async (request = ''): Promise<Socket> => {
    const accepted = once(server, 'connection')
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    t.teardown(() => socket.destroy())
    await accepted
    if (request !== '') socket.write(request)
    return socket
  }
  const closeServer = () => new Promise<void>(resolve => void server.close(() => resolve()))
  return { server, connections, open, closeServer }
}

t.test('by default, a shutdown ends before a container engine kills the process', async t => {
  t.same(drainTimes, { drainMs: 1500, unusedMs: 500, requestsMs: 6500 })
})

const get = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'

t.test(
  'drain ends immediately if no connection is open, and otherwise when the last connection closes',
  async t => {
    const { connections, open } = await setUp(t, {}, (_request, response) => response.end())
    await connections.drain(never)
    const socket = await open()
    const drained = connections.drain(never)
    socket.destroy()
    await drained
  },
)

t.test('drain ends after its time limit or on a second signal, even if a connection is open', async t => {
  const brief = await setUp(t, { drainMs: 1 }, (_request, response) => response.end())
  const socket = await brief.open()
  await brief.connections.drain(never)
  t.notOk(socket.closed, 'the connection is still open')
  const long = await setUp(t, {}, (_request, response) => response.end())
  await long.open()
  const forceStop = new AbortController()
  const drained = long.connections.drain(forceStop.signal)
  forceStop.abort()
  await drained
  await long.connections.drain(forceStop.signal)
})

t.test('close completes requests in progress, and closes unused connections', async t => {
  let respond = () => {}
  const { server, connections, open, closeServer } = await setUp(t, { unusedMs: 1 }, (_request, response) => {
    respond = () => response.writeHead(200, { connection: 'close' }).end('done')
  })
  const requested = once(server, 'request')
  const unused = await open()
  const used = await open(get)
  await requested
  const closed = connections.close(closeServer, never)
  await once(unused.resume(), 'close')
  const response = once(used, 'data')
  respond()
  t.match(String(await response), /^HTTP\/1.1 200 .*\bdone\b/s)
  await closed
})

t.test('close cuts off requests after the time limit or on a second signal', async t => {
  for (const [times, forcesStop] of [
    [{ requestsMs: 1 }, false],
    [{}, true],
  ] as const) {
    const { server, connections, open, closeServer } = await setUp(t, times, () => {})
    const requested = once(server, 'request')
    const socket = await open(get)
    await requested
    const forceStop = new AbortController()
    const closed = connections.close(closeServer, forceStop.signal)
    if (forcesStop) forceStop.abort()
    await Promise.all([closed, once(socket.resume(), 'close')])
  }
})
