import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { inspect } from 'node:util'
import t, { type Test } from 'tap'
import { expectConsoleMessage } from '../../scripts/tap-setup.ts'
import { until } from '../../shared/testing/until.ts'
import { type FailedIn, type FailedRequest, reportProxy, reportTo } from './next.ts'
import { recordOf } from './reporter/record.ts'
import { createReporter } from './reporter/reporter.ts'
import { requestIds, startRequestContext } from './request-context.ts'

// `reportTo` does not start a second context, so the tests can stop this one.
t.teardown(startRequestContext())

const request: FailedRequest = {
  path: '/cart/7?coupon=SPRING&token=s3cret',
  method: 'POST',
  headers: {
    cookie: 'session=s3cret',
    authorization: 'Bearer s3cret',
    'user-agent': 'Mozilla/5.0',
    'x-request-id': ['7f3a'],
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  },
}
const context: FailedIn = {
  routerKind: 'App Router',
  routePath: '/cart/[id]',
  routeType: 'render',
  renderSource: 'react-server-components',
  revalidateReason: undefined,
}

function failure(): Error {
  const cause = new TypeError('no price')
  return Object.assign(new Error('no cart', { cause }), { digest: '2338471' })
}

type Seen = { key: unknown; authorization: unknown; records: Record<string, unknown>[] }

/** A fake Sixpane with one response per request. The last response repeats. */
async function serve(t: Test, ...responders: ((response: ServerResponse) => void)[]) {
  const seen: Seen[] = []
  const server = createServer(async (incoming, response) => {
    const records = (await text(incoming)).split('\n').map(line => JSON.parse(line))
    const { 'idempotency-key': key, authorization } = incoming.headers
    const respond = responders[Math.min(seen.length, responders.length - 1)]
    seen.push({ key, authorization, records })
    respond?.(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  return {
    seen,
    /** Resolves when this many requests have arrived. On a busy machine, a report may resolve earlier. */
    async arrived(count: number) {
      await until(() => seen.length >= count)
    },
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
  }
}

const accept = (response: ServerResponse) => response.end('{"accepted":1,"rejected":0,"errors":[]}')

t.test('reports a failure with its digest, without secrets', async t => {
  const { seen, arrived, url } = await serve(t, accept)
  const onRequestError = reportTo({ url, token: 'sxp_abc', service: 'shop', release: '1.2.0' })
  await onRequestError(failure(), request, context)
  await arrived(1)
  const [report] = seen
  t.equal(report?.authorization, 'Bearer sxp_abc')
  t.match(report?.records, [
    {
      level: 'error',
      time: Number,
      service: 'shop',
      release: '1.2.0',
      msg: 'no cart',
      err: {
        type: 'Error',
        message: 'no cart',
        digest: '2338471',
        stack: /^Error: no cart\n {4}at [\s\S]+\ncaused by: TypeError: no price\n {4}at /,
      },
      method: 'POST',
      route: '/cart/[id]',
      'url.path': '/cart/7',
      requestId: '7f3a',
      traceId: '0af7651916cd43dd8448eb211c80319c',
      spanId: 'b7ad6b7169203331',
      'next.routerKind': 'App Router',
      'next.routeType': 'render',
      'next.renderSource': 'react-server-components',
    },
  ])
  t.notMatch(JSON.stringify(report), /s3cret|SPRING|Mozilla/)
})

t.test('the cause of an AggregateError is its first error', t => {
  const refused = new Error('connect ECONNREFUSED ::1:5432')
  const cause = new AggregateError([refused, new Error('connect ECONNREFUSED 127.0.0.1:5432')])
  const error = new TypeError('fetch failed', { cause })
  t.match(recordOf({ error, ...request }, 0), {
    err: {
      stack:
        /^TypeError: fetch failed\n[\s\S]+\ncaused by: AggregateError\n[\s\S]+\ncaused by: Error: connect ECONNREFUSED ::1:5432\n/,
    },
  })
  t.end()
})

t.test('creates a record for any thrown value', async t => {
  const loop: { self?: unknown } = {}
  loop.self = loop
  const circular = new Error('a')
  circular.cause = circular
  for (const [thrown, message] of [
    ['text', 'text'],
    [null, 'null'],
    [undefined, 'undefined'],
    [{ message: 'of an object', digest: '7' }, 'of an object'],
    [{ code: 4 }, '{"code":4}'],
    [circular, 'a'],
    [loop, 'An object with the property self'],
    [Symbol('s'), 'Symbol(s)'],
  ])
    t.match(recordOf({ error: thrown, ...request }, 0), { err: { type: 'Error', message }, msg: message })
  const { seen, arrived, url } = await serve(t, accept)
  const report = createReporter('next', { url })
  const trap = Object.defineProperty(new Error('a'), 'stack', {
    get() {
      throw new Error('trapped')
    },
  })
  await report({ error: trap, ...request, digest: '2338471' })
  await arrived(1)
  t.match(seen[0]?.records, [
    { err: { message: 'The thrown value cannot be read', digest: '2338471' }, 'url.path': '/cart/7' },
  ])
})

t.test('retries with the same idempotency key', async t => {
  t.intercept(Math, 'random', { value: () => 0 })
  const { seen, url } = await serve(
    t,
    response => response.socket?.destroy(),
    response => response.writeHead(503).end(),
    accept,
  )
  const report = reportTo({ url, password: 'größer' })
  await report(failure(), request, context)
  await report(failure(), request, context)
  await until(() => seen.length >= 3 && seen.flatMap(({ records }) => records).length >= 4)
  t.equal(new Set(seen.slice(0, 3).map(({ key }) => key)).size, 1)
  t.same(seen[0]?.records, seen[2]?.records)
  t.notSame(seen[3]?.key, seen[0]?.key, 'sends lines queued during a request in the next request')
  t.equal(String(Buffer.from(String(seen[0]?.authorization).slice(6), 'base64')), ':größer')
})

t.test(
  'failures during an outage are reported after it, and a warning is printed every hour until then',
  async t => {
    const warnings = t.capture(console, 'warn', () => {})
    let nowMs = Date.now()
    t.intercept(Date, 'now', { value: () => nowMs })
    t.intercept(Math, 'random', { value: () => 0 })
    const { setTimeout: wait } = globalThis
    const delays = t.capture(globalThis, 'setTimeout', (call: () => void, ms: number) =>
      wait(call, ms === 7000 ? 0 : ms),
    )
    const overloaded = (response: ServerResponse) => {
      nowMs += 20 * 60_000
      response.writeHead(503, { 'retry-after': '7' }).end()
    }
    const { seen, arrived, url } = await serve(t, ...Array(9).fill(overloaded), accept)
    await reportTo({ url })(failure(), request, context)
    await arrived(10)
    t.equal(delays().filter(({ args }) => args[1] === 7000).length, 9)
    t.equal(new Set(seen.map(({ key }) => key)).size, 1)
    // Reporters of other test files in this process may also print warnings, because the clock is ahead.
    const printed = warnings().map(({ args }) => String(args[0]))
    const own = printed.filter(text => text.startsWith('(sixpane/next)'))
    const warning = /Failures are not reported: .* status 503/
    t.match(own, [warning, warning])
  },
)

t.test('a timer that fires long after it was due does not send failures again', async t => {
  let nowMs = Date.now()
  t.intercept(Date, 'now', { value: () => nowMs })
  t.intercept(Math, 'random', { value: () => 0 })
  const { setTimeout: wait } = globalThis
  const late: (() => void)[] = []
  t.capture(globalThis, 'setTimeout', (call: () => void, ms: number) =>
    ms === 7000 ? late.push(call) : wait(call, ms),
  )
  const overloaded = (response: ServerResponse) => response.writeHead(503, { 'retry-after': '7' }).end()
  const { seen, arrived, url } = await serve(t, overloaded, accept)
  const report = reportTo({ url })
  void report(failure(), request, context)
  await until(() => late.length === 1)
  nowMs += 60_000
  await report(failure(), request, context)
  await arrived(3)
  for (const call of late) call()
  await report(failure(), request, context)
  await report(failure(), request, context)
  await arrived(5)
  t.same(
    seen.map(({ key }) => seen.findIndex(each => each.key === key)),
    [0, 0, 2, 3, 4],
  )
})

t.test('pauses delay the exit of a process for no more than five seconds in all', async t => {
  let nowMs = Date.now()
  t.intercept(Date, 'now', { value: () => nowMs })
  t.intercept(Math, 'random', { value: () => 1 })
  const { setTimeout: wait } = globalThis
  const pauses: { ms: number; keepsAlive: boolean }[] = []
  t.capture(globalThis, 'setTimeout', (call: () => void, ms: number) => {
    if (![500, 2000, 8000, 300_000].includes(ms)) return wait(call, ms)
    nowMs += ms
    const timer = wait(call, 0)
    queueMicrotask(() => pauses.push({ ms, keepsAlive: timer.hasRef() }))
    return timer
  })
  const busy = (response: ServerResponse) => response.writeHead(503).end()
  const overloaded = (response: ServerResponse) => response.writeHead(503, { 'retry-after': '300' }).end()
  const { arrived, url } = await serve(t, busy, busy, busy, accept, overloaded, accept)
  const report = reportTo({ url })
  await report(failure(), request, context)
  await arrived(4)
  await report(failure(), request, context)
  await arrived(6)
  t.same(pauses, [
    { ms: 500, keepsAlive: true },
    { ms: 2000, keepsAlive: true },
    { ms: 8000, keepsAlive: false },
    { ms: 300_000, keepsAlive: false },
  ])
})

t.test('halves a request that is too large', async t => {
  const first: ServerResponse[] = []
  const { seen, arrived, url } = await serve(
    t,
    response => first.push(response),
    response => response.writeHead(413).end(),
    accept,
  )
  const report = reportTo({ url })
  const reports = ['a', 'b', 'c'].map(message => report(new Error(message), request, context))
  await arrived(1)
  for (const response of first) accept(response)
  await arrived(4)
  await Promise.all(reports)
  t.same(
    seen.map(({ records }) => records.map(({ msg }) => msg)),
    [['a'], ['b', 'c'], ['b'], ['c']],
  )
  t.equal(new Set(seen.map(({ key }) => key)).size, 4)
})

t.test('warns once about rejected reports, and does not retry them', async t => {
  expectConsoleMessage(t, /\(sixpane\/next\) Failures are not reported: .*401: set a token/)
  const { arrived, url } = await serve(t, response => response.writeHead(401).end())
  const report = reportTo({ url })
  await report(failure(), request, context)
  await report(failure(), request, context)
  await arrived(2)
  expectConsoleMessage(t, /Failures are not reported: .*501/)
  const other = await serve(t, response => response.writeHead(501).end())
  await reportTo({ url: other.url })(failure(), request, context)
})

t.test('warns at once about an invalid URL or token', async t => {
  for (const [options, message] of [
    [{ url: 'localhost:3000' }, /Failures are not reported: the URL must have the form http:/],
    [{ token: 'sxp_…' }, /Failures are not reported: the token contains invalid characters/],
  ] as const) {
    expectConsoleMessage(t, message)
    await reportTo(options)(failure(), request, context)
  }
})

t.test('warns if the server is not Sixpane', async t => {
  expectConsoleMessage(
    t,
    /\(sixpane\/next\) Failures are not reported: .*200, but does not appear to be a Sixpane server/,
  )
  const { url } = await serve(t, response => response.end('<html>'))
  await reportTo({ url })(failure(), request, context)
})

t.test('warns if Sixpane accepts a request but rejects a failure in it', async t => {
  expectConsoleMessage(t, /\(sixpane\/next\) Sixpane rejected 1 of 1 failures: .*too large/)
  const { url } = await serve(t, response => {
    response.end('{"accepted":0,"rejected":1,"errors":[{"line":1,"reason":"too large"}]}')
  })
  await reportTo({ url })(failure(), request, context)
})

t.test('only the first report waits if Sixpane does not respond', async t => {
  const pending: ServerResponse[] = []
  const { arrived, url } = await serve(t, response => pending.push(response))
  const report = reportTo({ url })
  // Resolves after its timeout, because the server never responds.
  await report(failure(), request, context)
  await arrived(1)
  let isDone = false
  void report(failure(), request, context).then(() => {
    isDone = true
  })
  await new Promise(resolve => setImmediate(resolve))
  t.ok(isDone, 'later reports do not wait at all')
  for (const count of [1, 2]) {
    await until(() => pending.length >= count)
    for (const response of pending.slice(count - 1)) accept(response)
  }
})

t.test('a report whose request the runtime cancelled is sent again, before the next report', async t => {
  const { seen, arrived, url } = await serve(t, accept)
  const cutOff: unknown[] = []
  const { fetch } = globalThis
  const neverSettles = (_: URL, { headers }: { headers: Record<string, string> }) => {
    cutOff.push(headers['idempotency-key'])
    globalThis.fetch = fetch
    return new Promise(() => {})
  }
  t.intercept(globalThis, 'fetch', { value: neverSettles, writable: true })
  const report = reportTo({ url })
  void report(new Error('a'), request, context)
  const { now } = Date
  t.intercept(Date, 'now', { value: () => now() + 7000 })
  void report(new Error('b'), request, context)
  await arrived(2)
  t.match(seen, [{ records: [{ msg: 'a' }] }, { records: [{ msg: 'b' }] }])
  t.same(cutOff, [seen[0]?.key], 'with the same key, in case Sixpane has already stored it')
})

t.test("bypasses Next.js's patched fetch", async t => {
  const { arrived, url } = await serve(t, accept)
  const original = globalThis.fetch
  t.teardown(() => {
    globalThis.fetch = original
  })
  const patchedFetch = async () => {
    throw new Error('Dynamic server usage')
  }
  globalThis.fetch = Object.assign(patchedFetch, { _nextOriginalFetch: original })
  await reportTo({ url })(failure(), request, context)
  await arrived(1)
})

t.test('an error from another realm is reported with its stack and the debug ids of its files', async t => {
  const { seen, arrived, url } = await serve(t, accept)
  const stack = 'Error: on the edge\n    at t (/app/.next/server/edge/(shop)/page.js:1:9)'
  const idsByStack = {
    'Error\n    at Object.<anonymous> (/app/.next/server/edge/(shop)/page.js:2:9)\n    at load (/app/next.js:1:1)':
      'aa',
    'Error\n    at /app/.next/server/other.js:2:9': 'bb',
  }
  Reflect.set(globalThis, '_debugIds', idsByStack)
  t.teardown(() => Reflect.deleteProperty(globalThis, '_debugIds'))
  await reportTo({ url })({ name: 'Error', message: 'on the edge', stack, digest: '7' }, request, context)
  await arrived(1)
  t.match(seen[0]?.records, [{ err: { type: 'Error', message: 'on the edge', stack, digest: '7' } }])
  t.same(seen[0]?.records[0]?.debugIds, { '/app/.next/server/edge/(shop)/page.js': 'aa' })
})

t.test('in development, the stack is the one that Next.js prints', async t => {
  const { seen, arrived, url } = await serve(t, accept)
  const inCode = (error: Error, frame: string) =>
    Object.defineProperty(error, inspect.custom, {
      value: () =>
        `${error.name}: ${error.message}\n    at ${frame}\n  1 |\n> 2 | throw cart\n  3 | {\n  digest: '7'\n}`,
    })
  const cause = inCode(new TypeError('no price'), 'priceOf (app/price.js:3:1)')
  const error = inCode(new Error('no cart', { cause }), 'Page (app/page.jsx:2:9)')
  const reported = async (env: string) => {
    t.intercept(process, 'env', { value: { ...process.env, NODE_ENV: env } })
    const before = seen.length
    await reportTo({ url })(Object.assign(error, { digest: '7' }), request, context)
    await arrived(before + 1)
    return seen.at(-1)?.records[0]
  }
  t.match(await reported('development'), {
    err: {
      type: 'Error',
      message: 'no cart',
      digest: '7',
      stack:
        'Error: no cart\n    at Page (app/page.jsx:2:9)\ncaused by: TypeError: no price\n    at priceOf (app/price.js:3:1)',
    },
  })
  t.match(await reported('production'), { err: { stack: 'next.test.ts' } })
  for (const thrown of ['text', null, { message: 'no error' }]) {
    t.intercept(process, 'env', { value: { ...process.env, NODE_ENV: 'development' } })
    await reportTo({ url })(thrown, request, context)
  }
  await arrived(5)
  t.match(
    seen.slice(2).map(({ records }) => records[0]),
    [{ msg: 'text' }, { msg: 'null' }, { msg: 'no error' }],
  )
})

t.test('in development, failures in the edge runtime are reported with their own stack', async t => {
  t.intercept(process, 'env', { value: { ...process.env, NODE_ENV: 'development' } })
  const { seen, arrived, url } = await serve(t, accept)
  const onRequestError = reportTo({ url })
  // The sandbox of Next.js replaces each function of `process` with one that throws.
  t.intercept(process, 'getBuiltinModule', {
    value: () => {
      throw new Error('A Node.js API is used (process.getBuiltinModule) which is not supported')
    },
  })
  await onRequestError(new TypeError('no cart'), request, context)
  await arrived(1)
  t.match(seen[0]?.records, [{ err: { type: 'TypeError', message: 'no cart', stack: 'next.test.ts' } }])
})

t.test('in development, an endless chain of causes is cut off', async t => {
  t.intercept(process, 'env', { value: { ...process.env, NODE_ENV: 'development' } })
  const { seen, arrived, url } = await serve(t, accept)
  const error = new Error('no cart')
  error.cause = error
  let reads = 0
  Object.defineProperty(error, inspect.custom, {
    value: () => {
      reads++
      return 'Error: no cart\n    at Page (app/page.jsx:2:9)'
    },
  })
  await reportTo({ url })(error, request, context)
  await arrived(1)
  t.match(seen[0]?.records, [{ err: { message: 'no cart', stack: /\(app\/page\.jsx:2:9\)\ncaused by: / } }])
  t.ok(reads <= 10, `${reads} stacks are read`)
})

t.test('reports failures of a proxy, and rethrows them', async t => {
  const { seen, arrived, url } = await serve(t, accept)
  const thrown = failure()
  const proxy = reportProxy(
    async (incoming: Request, suffix: string) => {
      if (incoming.method === 'POST') throw thrown
      return incoming.method + suffix
    },
    { url, service: 'shop', release: '1.2.0' },
  )
  t.equal(await proxy(new Request('http://shop.example/cart'), '!'), 'GET!')
  t.same(seen, [])
  const failing = new Request('http://shop.example/cart?token=s3cret', {
    method: 'POST',
    headers: { 'x-request-id': '7f3a', cookie: 'session=s3cret' },
  })
  await t.rejects(proxy(failing, '!'), thrown)
  await arrived(1)
  t.match(seen[0]?.records, [
    { service: 'shop', method: 'POST', 'url.path': '/cart', requestId: '7f3a', 'next.routeType': 'proxy' },
  ])
  t.notMatch(JSON.stringify(seen), 's3cret')
})

t.test('the release of the build is the default', async t => {
  const { seen, arrived, url } = await serve(t, accept)
  t.intercept(process, 'env', {
    value: { ...process.env, SIXPANE_RELEASE: 'built', NEXT_DEPLOYMENT_ID: 'other' },
  })
  await reportTo({ url })(failure(), request, context)
  await arrived(1)
  t.match(seen[0]?.records, [{ release: 'built' }])
})

t.test('a failure has the trace id of its request, even if the client sent none', async t => {
  const { seen, arrived, url } = await serve(t, accept)
  const onRequestError = reportTo({ url })
  const server = createServer(async (_, response) => {
    await onRequestError(failure(), { ...request, headers: {} }, context)
    response.end(JSON.stringify(requestIds()))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  const response = await fetch(`http://127.0.0.1:${address.port}`, { headers: { connection: 'close' } })
  const { traceId, spanId } = await response.json()
  t.match(traceId, /^[\da-f]{32}$/)
  await arrived(1)
  t.match(seen, [{ records: [{ traceId, spanId, msg: 'no cart' }] }])
})
