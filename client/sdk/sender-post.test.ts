import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { paths } from '../../shared/paths.ts'
import { createSender } from './sender.ts'
import { createBody, createPost, type Destination } from './sender-post.ts'

type Responder = (response: ServerResponse, body: Buffer) => void
type Seen = { request: IncomingMessage; body: Buffer }

/** A server with one response per request. The last response repeats. */
async function serve(t: Test, ...responders: Responder[]) {
  const seen: Seen[] = []
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    const respond = responders[Math.min(seen.length, responders.length - 1)]
    seen.push({ request, body })
    respond?.(response, body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  const post = async (lines: string[], destination: Partial<Destination> = {}, signal = noSignal) =>
    createPost({ url, ...destination })(await createBody('key-1', lines), signal)
  return { url, seen, post }
}

const noSignal = new AbortController().signal
const respondWith =
  (code: number, body = '', headers: Record<string, string> = {}): Responder =>
  response =>
    response.writeHead(code, headers).end(body)
const stored = respondWith(200, '{"accepted":1,"rejected":0,"errors":[]}')

t.test('sends a batch as lines with an idempotency key, compressed if it is large', async t => {
  const { seen, post } = await serve(t, stored)
  t.match(await post(['{"a":1}', '{"a":2}']), { status: 'stored', rejected: 0 })
  const long = `{"msg":"${'ü'.repeat(5000)}"}`
  await post([long], { source: 'stdin' })
  const [plain, compressed] = seen
  t.match(plain?.request, {
    method: 'POST',
    url: paths.ingest(),
    headers: { 'content-type': 'application/x-ndjson', 'idempotency-key': 'key-1' },
  })
  t.notOk(plain?.request.headers['content-encoding'])
  t.notOk(plain?.request.headers.authorization)
  t.equal(String(plain?.body), '{"a":1}\n{"a":2}\n')
  t.match(compressed?.request, {
    url: paths.ingest({ source: 'stdin' }),
    headers: { 'content-encoding': 'gzip' },
  })
  t.equal(String(gunzipSync(compressed?.body ?? '')), `${long}\n`)
})

t.test('authenticates with a token or the password', async t => {
  const { seen, post } = await serve(t, stored)
  await post(['{}'], { token: 'sxp_abc-DEF' })
  await post(['{}'], { password: 'größer: 8' })
  const [token, password] = seen.map(({ request }) => request.headers.authorization ?? '')
  t.equal(token, 'Bearer sxp_abc-DEF')
  t.equal(String(Buffer.from(password?.replace('Basic ', '') ?? '', 'base64')), ':größer: 8')
})

t.test('interprets each response status', async t => {
  const later = new Date(Date.now() + 60_000).toUTCString()
  const cases: [Responder, object][] = [
    [respondWith(429, '', { 'retry-after': '7' }), { status: 'failed', retryAfterMs: 7000 }],
    [
      respondWith(503, '{"message":"full"}', { 'retry-after': later }),
      { status: 'failed', reason: /503: full/ },
    ],
    [respondWith(503, '', { 'retry-after': 'soon' }), { status: 'failed', retryAfterMs: 0 }],
    [respondWith(502, '<html>'), { status: 'failed', maxAttempts: Number.POSITIVE_INFINITY, reason: /502$/ }],
    [respondWith(408), { status: 'failed' }],
    [respondWith(500), { status: 'failed', maxAttempts: 10 }],
    [respondWith(413), { status: 'too large' }],
    [respondWith(401), { status: 'rejected', reason: /401\. Set a token/ }],
    [
      respondWith(400, '{"message":"No line could be read"}'),
      { status: 'rejected', reason: /No line could be read/ },
    ],
    [respondWith(404), { status: 'rejected' }],
    [respondWith(302, '', { location: '/sign-in' }), { status: 'rejected', reason: /302/ }],
    [respondWith(200, '<html>'), { status: 'rejected', reason: /does not appear to be a Sixpane server/ }],
    [respondWith(200, 'x'.repeat(100_000)), { status: 'rejected' }],
    [
      respondWith(200, '{"accepted":1,"rejected":2,"errors":[{"line":3,"reason":"The line is not JSON"}]}'),
      { status: 'stored', rejected: 2, reason: 'The line is not JSON' },
    ],
  ]
  const { post } = await serve(t, ...cases.map(([responder]) => responder))
  for (const [, outcome] of cases) t.match(await post(['{}']), outcome)
  const dated = await serve(t, respondWith(503, '', { 'retry-after': later }))
  const outcome = await dated.post(['{}'])
  t.ok(outcome.status === 'failed' && outcome.retryAfterMs > 30_000 && outcome.retryAfterMs <= 60_000)
})

t.test('treats a connection error as a temporary failure', async t => {
  const { post } = await serve(
    t,
    response => response.socket?.destroy(),
    response => {
      response.writeHead(200, { 'content-length': '1000' }).write('{"accepted":1')
      response.socket?.end()
    },
  )
  t.match(await post(['{}']), { status: 'failed', reason: /is unreachable/ })
  t.match(await post(['{}']), { status: 'failed', reason: /is unreachable/ })
  t.match(await post(['{}'], { url: 'http://127.0.0.1:1' }), { status: 'failed', reason: /\(.+\)/ })
})

t.test("treats an abort as a temporary failure, with the signal's reason", async t => {
  const giveUp = new AbortController()
  const { post } = await serve(t, response => {
    // Sends only the start of a response.
    response.writeHead(200).write('{')
    giveUp.abort(new Error('no response within 30 s'))
  })
  t.match(await post(['{}'], {}, giveUp.signal), { status: 'failed', reason: /no response within 30 s/ })
})

t.test('rejects every batch if the destination is invalid, with the reason', async t => {
  for (const url of ['', 'localhost:3000', 'ftp://127.0.0.1', 'http://:secret@127.0.0.1', '127.0.0.1:3000']) {
    const outcome = await createPost({ url })(await createBody('key-1', ['{}']), noSignal)
    t.match(outcome, { status: 'rejected', reason: /must have the form http:/ })
    t.notMatch(JSON.stringify(outcome), 'secret')
  }
  for (const token of ['a\nb', 'a b', 'ü', ''])
    t.match(
      await createPost({ url: 'http://127.0.0.1', token })(await createBody('key-1', ['{}']), noSignal),
      {
        status: 'rejected',
        reason: /token/,
      },
    )
})

t.test('with an unreliable server, every line is stored once, in order', async t => {
  const linesByKey = new Map<string, string[]>()
  const take = ({ req: { headers } }: ServerResponse, body: Buffer) => {
    const text = String(headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body)
    const lines = text.trim().split('\n')
    linesByKey.set(String(headers['idempotency-key']), lines)
    return lines.length
  }
  const { url, seen } = await serve(
    t,
    response => response.socket?.destroy(),
    respondWith(503, '', { 'retry-after': '0' }),
    respondWith(413),
    (response, body) => {
      take(response, body)
      response.socket?.destroy()
    },
    respondWith(429),
    (response, body) => {
      response.end(JSON.stringify({ accepted: take(response, body), rejected: 0, errors: [] }))
    },
  )
  const sender = createSender({ url, onProblem: () => {} }, { random: () => 0 })
  const lines = Array.from({ length: 3000 }, (_, id) => `{"id":${id},"msg":"line"}`)
  for (const line of lines) sender.send(line)
  t.same(await sender.close(60_000), { dropped: 0 })
  t.ok(seen.length > 5)
  t.same([...linesByKey.values()].flat(), lines)
})

t.test("bypasses Next.js's patched fetch", async t => {
  const { seen, post } = await serve(t, stored)
  const original = globalThis.fetch
  t.teardown(() => {
    globalThis.fetch = original
  })
  // While Next.js prerenders a page, its fetch returns a promise that never settles.
  const patched = () => new Promise<Response>(() => {})
  globalThis.fetch = Object.assign(patched, { _nextOriginalFetch: original })
  t.match(await post(['{"a":1}']), { status: 'stored' })
  t.equal(seen.length, 1)
})
