import t from 'tap'
import { reportTo } from './nuxt.ts'
import { startRequestContext } from './request-context.ts'
import { ingestServer } from './testing/ingest-server.ts'

// `reportTo` does not start a second context, so the tests can stop this one.
t.teardown(startRequestContext())

const event = {
  method: 'GET',
  path: '/cart/7?token=s3cret',
  headers: new Headers({ cookie: 'session=s3cret' }),
  context: { matchedRoute: { path: '/cart/:id' } },
}

type Listener = (error: Error, context: { event?: typeof event }) => Promise<void> | undefined

/** Registers the plugin, and returns its listener for errors. */
function listenerOf(plugin: ReturnType<typeof reportTo>): Listener {
  let registered: Listener = () => {}
  plugin({ hooks: { hook: (_, listener) => (registered = listener) } })
  return registered
}

/** The part of h3's error class that the plugin uses. */
class H3Error extends Error {
  static __h3_error__ = true
  statusCode = 500
  data?: unknown
}

/** Wraps an error that was not created with `createError`, as h3 does. */
function h3Error(error: Error, more: object = {}): H3Error {
  return Object.assign(new H3Error(error.message, { cause: error }), { unhandled: true, ...more })
}

t.test('an unexpected error gets a message with a digest', async t => {
  const { url, received } = await ingestServer(t)
  const printed = t.capture(console, 'error')
  const onError = listenerOf(reportTo({ url, service: 'shop' }))
  const cause = new TypeError('the password is wrong')
  const error = h3Error(cause)
  void onError(error, { event })
  void onError(error, { event })
  const digest = Reflect.get(Object(error.data), 'digest')
  t.match(digest, /^[\da-f]{12}$/)
  t.match(error, { message: `Internal Server Error. Digest: ${digest}`, unhandled: false, data: { digest } })
  t.same(
    printed().map(({ args }) => args),
    [['Request failed', { digest }, cause]],
    'once, although Nitro calls the hook twice',
  )
  const records = await received(1)
  t.match(records, [
    { err: { type: 'TypeError', digest }, route: '/cart/:id', 'url.path': '/cart/7', status: 500 },
  ])
  t.notMatch(JSON.stringify(records), /s3cret/)
})

t.test('the visitor sees only the digest of an unexpected error, not its data', async t => {
  const { url, received } = await ingestServer(t)
  t.capture(console, 'error')
  const onError = listenerOf(reportTo({ url }))
  for (const data of [{ token: 's3cret' }, { token: 's3cret', digest: '7' }, 's3cret']) {
    const error = h3Error(new Error('no price'), { data })
    void onError(error, { event })
    t.strictSame(error.data, { digest: /Digest: (.*)/.exec(error.message)?.[1] })
  }
  await received(3)
})

t.test('the failed request of a page is an unexpected error', async t => {
  const { url, received } = await ingestServer(t)
  t.capture(console, 'error')
  const onError = listenerOf(reportTo({ url }))
  // Errors of ofetch also have a status. Nuxt wraps errors of pages with `createError`, so they are not `unhandled`.
  const cause = Object.assign(new Error('[GET] "http://prices.internal/7": 502'), { statusCode: 502 })
  cause.name = 'FetchError'
  const error = h3Error(cause, { unhandled: false, statusCode: 502, data: { token: 's3cret' } })
  void onError(error, { event })
  t.match(error, {
    message: /^Internal Server Error\. Digest: [\da-f]{12}$/,
    data: { digest: /^[\da-f]{12}$/, token: undefined },
  })
  t.match(await received(1), [{ err: { type: 'FetchError' }, status: 502 }])
})

t.test('Nitro can wait for the report', async t => {
  const { url, records } = await ingestServer(t)
  t.capture(console, 'error')
  const onError = listenerOf(reportTo({ url }))
  await onError(h3Error(new Error('no price')), { event })
  t.match(records, [{ msg: 'no price' }])
})

t.test('an error that the application created keeps its message', async t => {
  const { url, received } = await ingestServer(t)
  t.capture(console, 'error')
  const onError = listenerOf(reportTo({ url }))
  const error = Object.assign(new H3Error('The shop is closed'), {
    statusCode: 503,
    data: { until: 'Monday' },
  })
  void onError(error, { event })
  t.match(error, { message: 'The shop is closed', data: { until: 'Monday', digest: /^[\da-f]{12}$/ } })
  t.match(await received(1), [{ msg: 'The shop is closed', status: 503 }])
})

t.test('data that cannot contain a digest is not changed', async t => {
  const { url, received } = await ingestServer(t)
  t.capture(console, 'error')
  const onError = listenerOf(reportTo({ url }))
  for (const data of [['a'], 'a', null]) {
    const error = Object.assign(new H3Error('The shop is closed'), { data })
    void onError(error, { event })
    t.strictSame(error.data, data)
  }
  await received(3)
})

t.test('client errors, errors outside requests and errors of the error page are not reported', async t => {
  const { url, records } = await ingestServer(t)
  const onError = listenerOf(reportTo({ url }))
  void onError(h3Error(new Error('Not found'), { statusCode: 404 }), { event })
  void onError(new Error('outside requests'), {})
  void onError(h3Error(new Error('again')), { event: { ...event, path: '/__nuxt_error?statusCode=500' } })
  t.same(records, [])
})
