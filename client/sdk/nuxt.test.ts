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

type Listener = (error: Error, context: { event?: typeof event }) => void

/** Registers the plugin, and returns its listener for errors. */
function listenerOf(plugin: ReturnType<typeof reportTo>): Listener {
  let registered: Listener = () => {}
  plugin({ hooks: { hook: (_, listener) => (registered = listener) } })
  return registered
}

/** An error as h3 creates it. */
function h3Error(error: Error, more: object = {}): Error & { data?: { digest?: string } } {
  return Object.assign(new Error(error.message, { cause: error }), {
    statusCode: 500,
    unhandled: true,
    ...more,
  })
}

t.test('an unexpected error gets a message with a digest', async t => {
  const { url, received } = await ingestServer(t)
  const printed = t.capture(console, 'error')
  const onError = listenerOf(reportTo({ url, service: 'shop' }))
  const cause = new TypeError('the password is wrong')
  const error = h3Error(cause)
  onError(error, { event })
  onError(error, { event })
  const digest = error.data?.digest
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

t.test('an error that the application created keeps its message', async t => {
  const { url, received } = await ingestServer(t)
  t.capture(console, 'error')
  const onError = listenerOf(reportTo({ url }))
  const error = Object.assign(new Error('The shop is closed'), { statusCode: 503, data: { until: 'Monday' } })
  onError(error, { event })
  t.match(error, { message: 'The shop is closed', data: { until: 'Monday', digest: /^[\da-f]{12}$/ } })
  t.match(await received(1), [{ msg: 'The shop is closed', status: 503 }])
})

t.test('client errors, errors outside requests and errors of the error page are not reported', async t => {
  const { url, records } = await ingestServer(t)
  const onError = listenerOf(reportTo({ url }))
  onError(h3Error(new Error('Not found'), { statusCode: 404 }), { event })
  onError(new Error('outside requests'), {})
  onError(h3Error(new Error('again')), { event: { ...event, path: '/__nuxt_error?statusCode=500' } })
  t.same(records, [])
})
