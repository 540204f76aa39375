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
