import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import t, { type Test } from 'tap'
import { createProxy } from './proxy.mjs'

const tag = '<script src="/dev-reload.js"></script>'

async function listen(t: Test, server: ReturnType<typeof createServer>) {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('It listens on no port')
  return address.port
}

async function around(t: Test, behind: RequestListener, ready = () => Promise.resolve(true)) {
  const port = await listen(t, createServer(behind))
  const proxy = createProxy({ port, ready })
  return { proxy, origin: `http://127.0.0.1:${await listen(t, proxy.server)}` }
}

const page: RequestListener = (_, answer) => {
  const html = '<!doctype html><p>Fine</p>'
  answer
    .writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': html.length })
    .end(html)
}

t.test('a page gets the script that reloads it', async t => {
  const { origin } = await around(t, page)
  t.equal(await (await fetch(origin)).text(), `<!doctype html><p>Fine</p>${tag}`)
  t.match(await (await fetch(`${origin}/dev-reload.js`)).text(), /EventSource/)
})

t.test('anything else goes through as it is, with what was asked', async t => {
  const { origin } = await around(t, (incoming, answer) => {
    answer.writeHead(201, { 'content-type': 'application/json', 'x-host': incoming.headers.host ?? '' })
    incoming.pipe(answer)
  })
  const answer = await fetch(`${origin}/ingest?a=1`, { method: 'POST', body: '{"body":"<html>"}' })
  t.equal(answer.status, 201)
  t.equal(
    answer.headers.get('x-host'),
    new URL(origin).host,
    'so that the server sees the origin of the page',
  )
  t.equal(await answer.text(), '{"body":"<html>"}')
})

t.test('a request waits while the server starts anew', async t => {
  let isUp: (up: boolean) => void = () => {}
  let asked: () => void = () => {}
  const waits = new Promise<void>(resolve => {
    asked = resolve
  })
  const listening = new Promise<boolean>(resolve => {
    isUp = resolve
  })
  const { origin } = await around(t, page, () => {
    asked()
    return listening
  })
  const answer = fetch(origin)
  await waits
  isUp(true)
  t.equal((await answer).status, 200)
})

t.test('a server that could not start is told of by a page that reloads', async t => {
  const { origin } = await around(t, page, () => Promise.resolve(false))
  const answer = await fetch(origin)
  t.equal(answer.status, 503)
  t.match(await answer.text(), tag)
})

t.test('open pages hear of every change', async t => {
  const { origin, proxy } = await around(t, page)
  const { body } = await fetch(`${origin}/dev-reload`)
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  const first = await reader?.read()
  proxy.reload()
  const second = await reader?.read()
  t.match(first?.value, /^data: \d+\n\n$/)
  t.match(second?.value, /^data: \d+\n\n$/)
  t.not(first?.value, second?.value)
  await reader?.cancel()
})
