import t from 'tap'
import sixpane, { reportTo } from './express.ts'
import { startRequestContext } from './request-context.ts'
import { ingestServer } from './testing/ingest-server.ts'

// The middleware does not start a second context, so the tests can stop this one.
t.teardown(startRequestContext())

const request = {
  method: 'POST',
  originalUrl: '/cart/7?coupon=SPRING&token=s3cret',
  baseUrl: '',
  route: { path: '/cart/:id' },
  headers: {
    cookie: 'session=s3cret',
    'x-request-id': '7f3a',
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  },
}

/** The parts of Express's response that the middleware uses. `accepted` is the body format that the visitor accepts. */
function fakeResponse(accepted = 'json', { statusCode = 200, headersSent = false, destroyed = false } = {}) {
  const response = {
    statusCode,
    headersSent,
    destroyed,
    locals: {},
    headers: new Map<string, unknown>([['content-encoding', 'gzip']]),
    body: '',
    status(status: number) {
      response.statusCode = status
    },
    set(headers: object) {
      // Like Express, includes inherited properties.
      for (const name in headers) response.headers.set(name, Reflect.get(headers, name))
    },
    type: (type: string) => void response.headers.set('content-type', type),
    removeHeader: (name: string) => void response.headers.delete(name.toLowerCase()),
    format: (bodies: Record<string, () => void>) => (bodies[accepted] ?? bodies.default)?.(),
    send(body: string) {
      response.body = body
    },
  }
  return response
}

const failIfCalled = () => {
  throw new Error('The next handler was called')
}

t.test('the visitor, the console and the report get the same id for a failure', async t => {
  const { url, received } = await ingestServer(t)
  const printed = t.capture(console, 'error')
  const handler = sixpane({ url, service: 'shop', release: '1.2.0' })
  t.equal(handler.length, 4, 'Express recognises error handlers by their parameters')
  const error = new TypeError('wrong database password')
  const response = fakeResponse()
  handler(error, request, response, failIfCalled)
  const { digest, ...body } = JSON.parse(response.body)
  t.match(digest, /^[\da-f]{12}$/)
  t.same(body, { statusCode: 500, error: 'Internal Server Error' })
  t.equal(response.statusCode, 500)
  t.notOk(response.headers.has('content-encoding'), 'the header describes a body that was not sent')
  t.same(printed()[0]?.args, ['Request failed', { digest }, error])
  const [record] = await received(1)
  t.match(record, {
    service: 'shop',
    release: '1.2.0',
    err: { type: 'TypeError', digest, stack: 'express.test.ts' },
    method: 'POST',
    route: '/cart/:id',
    status: 500,
    'url.path': '/cart/7',
    requestId: '7f3a',
    traceId: '0af7651916cd43dd8448eb211c80319c',
  })
  t.notMatch(JSON.stringify(record), /s3cret|SPRING/)
})

t.test('the response has the type that the visitor accepts', async t => {
  const { url, received } = await ingestServer(t)
  t.capture(console, 'error')
  const handler = sixpane({ url })
  const error = Object.assign(new Error('busy'), {
    status: 503,
    digest: '<b>&7',
    headers: { 'retry-after': '7' },
  })
  const bodies = ['html', 'text', 'image'].map(accepted => {
    const response = fakeResponse(accepted)
    handler(error, request, response, failIfCalled)
    t.equal(response.statusCode, 503)
    t.equal(response.headers.get('retry-after'), '7')
    t.equal(response.headers.get('content-type'), accepted === 'image' ? 'json' : undefined)
    return response.body
  })
  t.match(bodies[0], /<h1>Service Unavailable<\/h1><p>Digest: &lt;b>&amp;7<\/p>/)
  t.equal(bodies[1], 'Service Unavailable\nDigest: <b>&7\n')
  t.same(JSON.parse(bodies[2] ?? ''), { statusCode: 503, error: 'Service Unavailable', digest: '<b>&7' })
  t.match(await received(3), [{ status: 503, err: { digest: '<b>&7' } }, {}, {}])
})

t.test('the visitor does not get the headers of an API response that caused the failure', async t => {
  const { url, received } = await ingestServer(t)
  t.capture(console, 'error')
  const headers = new Headers({ 'content-encoding': 'gzip', 'set-cookie': 'session=s3cret' })
  const response = fakeResponse()
  sixpane({ url })(Object.assign(new Error('overloaded'), { headers }), request, response, failIfCalled)
  t.same([...response.headers], [])
  await received(1)
})

t.test('any thrown value is a failure', async t => {
  const { url, received } = await ingestServer(t)
  t.capture(console, 'error')
  const handler = sixpane({ url })
  const circular: Record<string, unknown> = { code: 4 }
  circular.self = circular
  for (const thrown of ['text', 7, { code: 4 }, circular, { id: 1n }, new Error('x'.repeat(600_000))]) {
    const response = fakeResponse()
    handler(thrown, request, response, failIfCalled)
    t.equal(JSON.parse(response.body).statusCode, 500)
  }
  t.match(await received(6), [
    { msg: 'text' },
    { msg: '7' },
    { msg: '{"code":4}' },
    { msg: 'An object with the properties code, self' },
    { msg: 'An object with the property id' },
    { msg: /^x{16384}$/ },
  ])
})

t.test('the next handler gets client errors, which are not failures', async t => {
  const { url, records } = await ingestServer(t)
  const handler = sixpane({ url })
  const passed: unknown[] = []
  const errors = [
    Object.assign(new Error('no such cart'), { status: 404 }),
    Object.assign(new Error('invalid'), { statusCode: 400 }),
  ]
  for (const error of errors) handler(error, request, fakeResponse(), error => passed.push(error))
  handler('refused', request, fakeResponse('json', { statusCode: 403 }), error => passed.push(error))
  t.same(passed, [...errors, 'refused'])
  t.same(records, [])
})

t.test('failures after the headers were sent are reported, and the next handler gets them', async t => {
  const { url, received } = await ingestServer(t)
  const response = fakeResponse('html', { headersSent: true })
  const passed: unknown[] = []
  const error = new Error('connection lost')
  sixpane({ url })(error, request, response, error => passed.push(error))
  t.same(passed, [error])
  t.equal(response.body, '')
  t.match(await received(1), [{ msg: 'connection lost' }])
})

t.test('a response that the visitor aborted is not a failure', async t => {
  const { url, received } = await ingestServer(t)
  const handler = sixpane({ url })
  const aborted = fakeResponse('html', { headersSent: true, destroyed: true })
  const passed: unknown[] = []
  const errors = [
    Object.assign(new Error('Premature close'), { code: 'ERR_STREAM_PREMATURE_CLOSE' }),
    new DOMException('This operation was aborted', 'AbortError'),
    new Error('no cart'),
  ]
  for (const error of errors) handler(error, request, aborted, error => passed.push(error))
  t.same(passed, errors)
  t.match(await received(1), [{ msg: 'no cart' }])
})

t.test("an application's own error page shows the digest", async t => {
  const { url, received } = await ingestServer(t)
  const response = fakeResponse()
  const client = fakeResponse()
  const passed: unknown[] = []
  const error = new Error('no cart')
  const handler = reportTo({ url })
  handler(error, request, response, error => passed.push(error))
  handler(Object.assign(new Error('not found'), { status: 404 }), request, client, () => {})
  t.same(passed, [error])
  t.equal(response.body, '')
  t.match(response.locals, { digest: /^[\da-f]{12}$/ })
  t.same(client.locals, {})
  t.match(await received(1), [{ err: response.locals }])
})

t.test('finds the template of the route', async t => {
  const { url, received } = await ingestServer(t)
  const handler = reportTo({ url })
  const routes = [
    { baseUrl: '', originalUrl: '/', route: { path: '/' }, expected: '/' },
    { baseUrl: '', originalUrl: '/cart/7/?a=b/c', route: { path: '/cart/:id' }, expected: '/cart/:id' },
    // A router at /shop/carts. `baseUrl` is set only in its own error handler.
    { baseUrl: '', originalUrl: '/shop/carts/7', route: { path: '/:id' }, expected: '/shop/carts/:id' },
    { baseUrl: '', originalUrl: '/shop/carts', route: { path: '/' }, expected: '/shop/carts' },
    {
      baseUrl: '/shop/carts',
      originalUrl: '/shop/carts/7',
      route: { path: '/:id' },
      expected: '/shop/carts/:id',
    },
    { baseUrl: '', originalUrl: '/files/a/b', route: { path: '/files/*path' }, expected: '/files/*path' },
    { baseUrl: '', originalUrl: '/a', route: { path: /a/ }, expected: undefined },
    { baseUrl: '', originalUrl: '/a', route: undefined, expected: undefined },
  ]
  for (const { expected, ...each } of routes)
    handler(new Error('failed'), { ...request, ...each }, fakeResponse(), () => {})
  t.same(
    (await received(routes.length)).map(({ route }) => route),
    routes.map(({ expected }) => expected),
  )
})

t.test('the visitor gets a response even if Sixpane is unreachable', async t => {
  const warned = new Promise<unknown>(resolve => t.capture(console, 'warn', resolve))
  t.intercept(Math, 'random', { value: () => 0 })
  t.capture(console, 'error')
  const response = fakeResponse()
  sixpane({ url: 'http://127.0.0.1:1' })(new Error('no cart'), request, response, failIfCalled)
  t.match(JSON.parse(response.body), { statusCode: 500, digest: String })
  t.match(await warned, /^\(sixpane\/express\) Failures are not reported/)
})
