import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { paths } from '../../shared/paths.ts'
import { createSender } from './sender.ts'
import { bodyOf, createPost, type Destination } from './sender-post.ts'

type Answer = (response: ServerResponse, body: Buffer) => void
type Seen = { request: IncomingMessage; body: Buffer }

/** A server that answers each request in its own way, by turns. */
async function serve(t: Test, ...answers: Answer[]) {
  const seen: Seen[] = []
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    const answer = answers[Math.min(seen.length, answers.length - 1)]
    seen.push({ request, body })
    answer?.(response, body)
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
    createPost({ url, ...destination })(await bodyOf('key-1', lines), signal)
  return { url, seen, post }
}

const noSignal = new AbortController().signal
const status =
  (code: number, body = '', headers: Record<string, string> = {}): Answer =>
  response =>
    response.writeHead(code, headers).end(body)
const kept = status(200, '{"accepted":1,"rejected":0,"errors":[]}')

t.test('a batch goes as lines under its key, compressed where that helps', async t => {
  const { seen, post } = await serve(t, kept)
  t.match(await post(['{"a":1}', '{"a":2}']), { is: 'kept', rejected: 0 })
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

t.test('a token or the password goes along', async t => {
  const { seen, post } = await serve(t, kept)
  await post(['{}'], { token: 'sxp_abc-DEF' })
  await post(['{}'], { password: 'größer: 8' })
  const [token, password] = seen.map(({ request }) => request.headers.authorization ?? '')
  t.equal(token, 'Bearer sxp_abc-DEF')
  t.equal(String(Buffer.from(password?.replace('Basic ', '') ?? '', 'base64')), ':größer: 8')
})

t.test('each status means what it says', async t => {
  const later = new Date(Date.now() + 60_000).toUTCString()
  const cases: [Answer, object][] = [
    [status(429, '', { 'retry-after': '7' }), { is: 'failed', afterMs: 7000 }],
    [status(503, '{"message":"full"}', { 'retry-after': later }), { is: 'failed', reason: /503: full/ }],
    [status(503, '', { 'retry-after': 'soon' }), { is: 'failed', afterMs: 0 }],
    [status(502, '<html>'), { is: 'failed', mostTries: Number.POSITIVE_INFINITY, reason: /502$/ }],
    [status(408), { is: 'failed' }],
    [status(500), { is: 'failed', mostTries: 10 }],
    [status(413), { is: 'too large' }],
    [status(401), { is: 'refused', reason: /401\. Give it a token/ }],
    [status(400, '{"message":"No line could be read"}'), { is: 'refused', reason: /No line could be read/ }],
    [status(404), { is: 'refused' }],
    [status(302, '', { location: '/sign-in' }), { is: 'refused', reason: /302/ }],
    [status(200, '<html>'), { is: 'refused', reason: /does not answer as Sixpane does/ }],
    [status(200, 'x'.repeat(100_000)), { is: 'refused' }],
    [
      status(200, '{"accepted":1,"rejected":2,"errors":[{"line":3,"reason":"The line is no JSON"}]}'),
      { is: 'kept', rejected: 2, reason: 'The line is no JSON' },
    ],
  ]
  const { post } = await serve(t, ...cases.map(([answer]) => answer))
  for (const [, outcome] of cases) t.match(await post(['{}']), outcome)
  const dated = await serve(t, status(503, '', { 'retry-after': later }))
  const outcome = await dated.post(['{}'])
  t.ok(outcome.is === 'failed' && outcome.afterMs > 30_000 && outcome.afterMs <= 60_000)
})

t.test('what breaks on the way is a failure', async t => {
  const { post } = await serve(
    t,
    response => response.socket?.destroy(),
    response => {
      response.writeHead(200, { 'content-length': '1000' }).write('{"accepted":1')
      response.socket?.end()
    },
  )
  t.match(await post(['{}']), { is: 'failed', reason: /can't be reached/ })
  t.match(await post(['{}']), { is: 'failed', reason: /can't be reached/ })
  t.match(await post(['{}'], { url: 'http://127.0.0.1:1' }), { is: 'failed', reason: /\(.+\)/ })
})

t.test('it gives up with the signal, whose reason it names', async t => {
  const giveUp = new AbortController()
  const { post } = await serve(t, response => {
    // The head has come, the rest never does.
    response.writeHead(200).write('{')
    giveUp.abort(new Error('no answer within 30 s'))
  })
  t.match(await post(['{}'], {}, giveUp.signal), { is: 'failed', reason: /no answer within 30 s/ })
})

t.test('a wrong destination refuses all, and says what is wrong', async t => {
  for (const url of ['', 'localhost:3000', 'ftp://127.0.0.1', 'http://:secret@127.0.0.1', '127.0.0.1:3000']) {
    const outcome = await createPost({ url })(await bodyOf('key-1', ['{}']), noSignal)
    t.match(outcome, { is: 'refused', reason: /must be like http:/ })
    t.notMatch(JSON.stringify(outcome), 'secret')
  }
  for (const token of ['a\nb', 'a b', 'ü', ''])
    t.match(await createPost({ url: 'http://127.0.0.1', token })(await bodyOf('key-1', ['{}']), noSignal), {
      is: 'refused',
      reason: /token/,
    })
})

t.test('a server that misbehaves gets every line once, in order', async t => {
  const keptBy = new Map<string, string[]>()
  const take = ({ req: { headers } }: ServerResponse, body: Buffer) => {
    const text = String(headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body)
    const lines = text.trim().split('\n')
    keptBy.set(String(headers['idempotency-key']), lines)
    return lines.length
  }
  const { url, seen } = await serve(
    t,
    response => response.socket?.destroy(),
    status(503, '', { 'retry-after': '0' }),
    status(413),
    (response, body) => {
      take(response, body)
      response.socket?.destroy()
    },
    status(429),
    (response, body) => {
      response.end(JSON.stringify({ accepted: take(response, body), rejected: 0, errors: [] }))
    },
  )
  const sender = createSender({ url, onProblem: () => {} }, { random: () => 0 })
  const lines = Array.from({ length: 3000 }, (_, id) => `{"id":${id},"msg":"line"}`)
  for (const line of lines) sender.send(line)
  t.same(await sender.close(60_000), { dropped: 0 })
  t.ok(seen.length > 5)
  t.same([...keptBy.values()].flat(), lines)
})
