import { EventEmitter, once } from 'node:events'
import { connect } from 'node:net'
import Fastify, { type FastifyReply } from 'fastify'
import t, { type Test } from 'tap'
import { onceClosed } from './once-closed.ts'

/** Sends requests without waiting for responses. Returns the server's socket. */
async function pipeline(t: Test, urls: string[], handle: (url: string, reply: FastifyReply) => unknown) {
  const fastify = Fastify()
  fastify.get('/*', async (request, reply) => handle(request.url, reply))
  t.teardown(() => fastify.close())
  const { port } = new URL(await fastify.listen({ host: '127.0.0.1', port: 0 }))
  const connected = once(fastify.server, 'connection')
  const socket = connect(Number(port), '127.0.0.1')
  t.teardown(() => socket.destroy())
  socket.write(urls.map(url => `GET ${url} HTTP/1.1\r\nHost: localhost\r\n\r\n`).join(''))
  const [serverSocket] = await connected
  return serverSocket
}

t.test('calls the function once per response, even if the connection closes first', async t => {
  const urls = ['/fast', ...Array.from({ length: 20 }, (_, index) => `/slow/${index}`)]
  const closed: string[] = []
  const events = new EventEmitter()
  const completed = once(events, '/fast')
  const started = once(events, 'started')
  const socket = await pipeline(t, urls, (url, reply) => {
    onceClosed(reply, () => {
      closed.push(url)
      events.emit(url)
    })
    if (url === urls.at(-1)) events.emit('started')
    return url === '/fast' ? 'done' : new Promise(() => {})
  })
  await Promise.all([completed, started])
  t.same(closed, ['/fast'])
  socket.destroy()
  await once(socket, 'close')
  t.same(closed, urls)
})

t.test('calls the function once if the connection closes during the only request', async t => {
  const events = new EventEmitter()
  const started = once(events, 'started')
  let calls = 0
  const socket = await pipeline(t, ['/'], (_url, reply) => {
    onceClosed(reply, () => {
      calls += 1
    })
    events.emit('started')
    return new Promise(() => {})
  })
  await started
  socket.destroy()
  await once(socket, 'close')
  t.equal(calls, 1)
})

t.test('calls the function immediately if the connection has already closed', async t => {
  const events = new EventEmitter()
  const called = once(events, 'called')
  const started = once(events, 'started')
  const socket = await pipeline(t, ['/'], async (_url, reply) => {
    events.emit('started')
    await once(reply.request.raw.socket, 'close')
    let isCalled = false
    onceClosed(reply, () => {
      isCalled = true
    })
    events.emit('called', isCalled)
    return 'done'
  })
  await started
  socket.destroy()
  t.same(await called, [true])
})
