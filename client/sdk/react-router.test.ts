import { createServer } from 'node:http'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { createStaticHandler } from 'react-router-dom'
import t, { type Test } from 'tap'
import { reportTo, useFailureDigest } from './react-router.ts'
import { startRequestContext } from './request-context.ts'
import { ingestServer } from './testing/ingest-server.ts'

t.teardown(startRequestContext())

/** An error as the browser gets it: React Router hides the message and the stack. */
function sanitized(): Error {
  return Object.assign(new Error('Unexpected Server Error'), { stack: undefined })
}

function Shown({ error }: { error: unknown }) {
  return useFailureDigest(error) ?? 'no digest'
}

/** Starts an application that reports `errors` and responds with the digest of `shown`. Returns its origin. */
async function application(t: Test, url: string, errors: readonly unknown[], shown: unknown = sanitized()) {
  const handleError = reportTo({ url, service: 'shop', release: '1.2.0' })
  const server = createServer((incoming, response) => {
    const request = new Request(`http://shop.example${incoming.url}`, {
      headers: { cookie: 'session=s3cret' },
    })
    for (const error of errors) handleError(error, { request, pattern: '/cart/:id' })
    response.end(renderToString(createElement(Shown, { error: shown })))
  }).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

t.test('the page and a header contain the digest of the report', async t => {
  const { url, received } = await ingestServer(t)
  t.capture(console, 'error')
  const origin = await application(t, url, [new TypeError('no cart'), new Error('no price')])
  const response = await fetch(`${origin}/cart/7.data?token=s3cret`)
  const digest = await response.text()
  t.match(digest, /^[\da-f]{12}$/)
  t.equal(
    response.headers.get('server-timing'),
    `digest;desc="${digest}"`,
    'one digest for all failures of a request',
  )
  const records = await received(2)
  t.match(records, [
    { err: { type: 'TypeError', digest }, route: '/cart/:id', 'url.path': '/cart/7', release: '1.2.0' },
    { err: { type: 'Error', digest } },
  ])
  t.notMatch(JSON.stringify(records), /s3cret/)
})

t.test('requests have different digests', async t => {
  const { url, received } = await ingestServer(t)
  t.capture(console, 'error')
  const origin = await application(t, url, [new Error('no cart')])
  const digests = await Promise.all([1, 2, 3].map(async () => (await fetch(origin)).text()))
  t.equal(new Set(digests).size, 3)
  await received(3)
})

t.test('errors that are not from the server have no digest', async t => {
  const { url, received } = await ingestServer(t)
  t.capture(console, 'error')
  for (const shown of [new Error('in the browser'), 'text', null, { status: 404, statusText: 'Not Found' }]) {
    const origin = await application(t, url, [new Error('no cart')], shown)
    t.equal(await (await fetch(origin)).text(), 'no digest')
  }
  await received(4)
})

/** Returns the error that React Router passes to `handleError` for a request. */
async function routerError(path: string, init: RequestInit = {}): Promise<unknown> {
  const { query } = createStaticHandler([{ id: 'home', path: '/home', hasErrorBoundary: true }])
  const result = await query(new Request(`http://shop.example${path}`, init))
  return result instanceof Response ? null : Object.values(result.errors ?? {})[0]
}

t.test('pages and actions that do not exist are not reported', async t => {
  const { url, records, received } = await ingestServer(t)
  const printed = t.capture(console, 'error')
  const missing = await routerError('/wp-login.php')
  t.match(missing, { status: 404, internal: true, error: { message: 'No route matches' } })
  const noAction = await routerError('/home', { method: 'POST' })
  t.match(noAction, { status: 405, internal: true, error: { message: 'did not provide an `action`' } })
  const origin = await application(t, url, [missing, noAction])
  const response = await fetch(origin)
  t.equal(await response.text(), 'no digest')
  t.equal(response.headers.get('server-timing'), null)
  t.same(printed(), [])
  const failing = await application(t, url, [new Error('no cart')])
  await (await fetch(failing)).text()
  await received(1)
  t.match(records, [{ msg: 'no cart' }])
  t.equal(records.length, 1)
})

t.test('thrown responses and aborted requests are not reported', async t => {
  const { url, records, received } = await ingestServer(t)
  t.capture(console, 'error')
  const data = { status: 404, statusText: 'Not Found', internal: false, data: null }
  // If a component throws a response, React Router passes it to `handleError` unchanged.
  for (const thrown of [data, { ...data, status: 503 }, new Response('sold out', { status: 404 })]) {
    const origin = await application(t, url, [thrown])
    t.equal(await (await fetch(origin)).text(), 'no digest')
  }
  const request = new Request('http://shop.example/', { signal: AbortSignal.abort() })
  reportTo({ url })(new Error('aborted'), { request })
  t.same(records, [])
  const wrapped = { ...data, status: 500, internal: true, error: new RangeError('too many') }
  reportTo({ url })(wrapped, { request: new Request('http://shop.example/_root.data') })
  t.match(await received(1), [{ err: { type: 'RangeError' }, 'url.path': '/' }])
})
