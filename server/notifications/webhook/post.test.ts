import { getEventListeners } from 'node:events'
import t from 'tap'
import { readConfig } from '../../settings/config.ts'
import { post } from './post.ts'
import { createSigningKey } from './sign.ts'

const webhook = { url: 'http://127.0.0.1/hook', secret: createSigningKey() }
const message = { id: 'm1', body: '{}' }
const { signal } = new AbortController()

function postTo(response: Response) {
  return post(webhook, message, 0, signal, async () => response)
}

function interruptedBody(): ReadableStream {
  return new ReadableStream({ pull: controller => controller.error(new TypeError('terminated')) })
}

t.test('a message is delivered even if the rest of the response never arrives', async t => {
  let isCancelled = false
  const stalled = new ReadableStream({
    cancel() {
      isCancelled = true
    },
  })
  const delivered = { status: 200, problem: null, retryAfterMs: null }
  t.same(await postTo(new Response(stalled)), delivered)
  t.ok(isCancelled, 'closes the connection')
  t.same(await postTo(new Response(interruptedBody())), delivered)
  t.match(await postTo(new Response(null, { status: 204 })), { status: 204, problem: null })
})

t.test('the status of an error response is returned even if its body cannot be read', async t => {
  const gone = { status: 410, problem: 'HTTP 410', retryAfterMs: null }
  t.same(await postTo(new Response(interruptedBody(), { status: 410 })), gone)
  t.match(await postTo(new Response('No such\n channel', { status: 410 })), {
    problem: 'HTTP 410: No such channel',
  })
})

t.test('the problem contains what the receiver says, but not the path and query of the URL', async t => {
  const id = '5f2c1e9a-77d0-4b1c-9a51-0d3f8c6e2b44'
  const responses: [url: string, body: string, shown: string][] = [
    [
      '/hooks/s3cr3t',
      '{"message":"Route POST:/hooks/s3cr3t not found"}',
      '{"message":"Route POST:… not found"}',
    ],
    ['/hooks/s3cr3t?k=1', '<pre>Cannot POST /hooks/s3cr3t</pre>', '<pre>Cannot POST …</pre>'],
    [
      `/webhook/${id}`,
      `The requested webhook "POST ${id}" is not registered`,
      'The requested webhook "POST …" is not registered',
    ],
    ['/hook?token=T0K3N-of-chat', 'Invalid token: T0K3N-of-chat', 'Invalid token: …'],
    ['/a%20long/na%C3%AFve-secret', 'No "/a long/naïve-secret", na%C3%AFve-secret', 'No "…", …'],
    ['/s/abcd+efgh.ijkl%zz', 'Unknown abcd+efgh.ijkl%zz', 'Unknown …'],
    ['/hooks/abcdefghij', String.raw`{"path":"\/hooks\/abcdefghij"}`, String.raw`{"path":"\/hooks\/…"}`],
    ['/', 'and/or', 'and/or'],
    // The response is cut in the middle of the path.
    [`/hooks/${id}`, `${'x'.repeat(180)} /hooks/${id}`, `${'x'.repeat(180)} …`],
    [`/hooks/${id}`, `${'x'.repeat(180)} ${id}`, `${'x'.repeat(180)} …`],
  ]
  for (const [path, body, shown] of responses) {
    const to = { ...webhook, url: `http://127.0.0.1${path}` }
    const { problem } = await post(to, message, 0, signal, async () => new Response(body, { status: 404 }))
    t.equal(problem, `HTTP 404: ${shown}`)
  }
})

t.test('an attempt without a response ends before the deadline of a page that waits for it', async t => {
  const timers: [fire: () => void, ms: number][] = []
  t.intercept(globalThis, 'setTimeout', {
    value: (fire: () => void, ms: number) => void timers.push([fire, ms]),
  })
  const unanswered = (_url: string, { signal }: RequestInit) =>
    new Promise<Response>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
  const posted = post(webhook, message, 0, signal, unanswered)
  const beforeDeadlineMs = readConfig({}).renderDeadlineMs - 2000
  for (const [fire, ms] of timers) if (ms <= beforeDeadlineMs) fire()
  const problem = 'No response within 8 s'
  const pending = new Promise(resolve => setImmediate(resolve, 'pending'))
  t.same(await Promise.race([posted, pending]), { status: null, problem, retryAfterMs: null })
})

t.test('an attempt ends when Sixpane stops, and leaves no listener otherwise', async t => {
  await postTo(new Response())
  t.same(getEventListeners(signal, 'abort'), [])
  const stopping = new AbortController()
  const posted = post(webhook, message, 0, stopping.signal, async (_url, { signal }) => {
    stopping.abort()
    signal?.throwIfAborted()
    return new Response()
  })
  t.match(await posted, { status: null, problem: /connection failed/ })
})
