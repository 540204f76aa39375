import t from 'tap'
import { reportAction, reportTo } from './astro.ts'
import { startRequestContext } from './request-context.ts'
import { ingestServer } from './testing/ingest-server.ts'

// The middleware does not start a second context, so the tests can stop this one.
t.teardown(startRequestContext())

const url = new URL('http://127.0.0.1/cart/7?coupon=SPRING&token=s3cret')
const context = {
  request: new Request(url, {
    method: 'POST',
    headers: {
      cookie: 'session=s3cret',
      'x-request-id': '7f3a',
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    },
  }),
  url,
  routePattern: '/cart/[id]',
  isPrerendered: false,
}

/** Returns what a function throws. */
async function thrownBy(run: () => Promise<unknown>): Promise<unknown> {
  try {
    await run()
  } catch (error) {
    return error
  }
  throw new Error('Nothing was thrown')
}

t.test('the error page gets the digest that is reported and printed', async t => {
  const { url: origin, records } = await ingestServer(t)
  const printed = t.capture(console, 'error')
  const error = new TypeError('no cart')
  const middleware = reportTo({ url: origin, service: 'shop', release: '1.2.0' })
  const thrown = await thrownBy(() => middleware(context, () => Promise.reject(error)))
  t.equal(thrown, error)
  const { digest } = Object(thrown)
  t.match(digest, /^[\da-f]{12}$/)
  t.same(printed()[0]?.args, ['Request failed', { digest }])
  // The response waits until the failure is stored.
  const [record] = records
  t.match(record, {
    service: 'shop',
    release: '1.2.0',
    err: { type: 'TypeError', digest, stack: 'astro.test.ts' },
    method: 'POST',
    route: '/cart/[id]',
    status: 500,
    'url.path': '/cart/7',
    requestId: '7f3a',
    traceId: '0af7651916cd43dd8448eb211c80319c',
  })
  t.notMatch(JSON.stringify(record), /s3cret|SPRING/)
})

t.test('a thrown value that cannot have a digest is replaced by an error that has one', async t => {
  const { url: origin, received } = await ingestServer(t)
  t.capture(console, 'error')
  const middleware = reportTo({ url: origin })
  for (const value of ['closed', null, undefined, Object.freeze(new Error('closed'))]) {
    const thrown = await thrownBy(() => middleware(context, () => Promise.reject(value)))
    t.match(thrown, { message: 'Request failed', digest: /^[\da-f]{12}$/ })
  }
  t.equal((await received(4)).length, 4)
})

t.test('a page that fails while streaming ends with the digest', async t => {
  const { url: origin, records } = await ingestServer(t)
  const printed = t.capture(console, 'error')
  const error = Object.assign(new Error('no total'), { digest: '<b>&7' })
  const parts = [new TextEncoder().encode('<h1>Cart</h1>')]
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const part = parts.shift()
      if (part === undefined) controller.error(error)
      else controller.enqueue(part)
    },
  })
  const page = new Response(body, { headers: { 'content-type': 'text/html' } })
  const response = await reportTo({ url: origin })(context, async () => page)
  t.equal(await response.text(), '<h1>Cart</h1><p>Digest: &lt;b>&amp;7</p>')
  t.same(printed()[0]?.args, [error], 'Astro does not print the error')
  t.match(records, [{ err: { message: 'no total', digest: '<b>&7' } }])
})

t.test('responses are not failures, even with an error status', async t => {
  const { url: origin, records } = await ingestServer(t)
  const middleware = reportTo({ url: origin })
  for (const response of [
    new Response(null, { status: 302 }),
    new Response('Not found', { status: 404, headers: { 'content-type': 'text/html' } }),
    new Response('{}', { status: 422, headers: { 'content-type': 'application/json' } }),
  ])
    t.equal((await middleware(context, async () => response)).status, response.status)
  t.same(records, [])
})

t.test('the error of a prerendered page is rethrown but not reported', async t => {
  const { url: origin, records } = await ingestServer(t)
  const error = new Error('no cart')
  const prerendered = { ...context, isPrerendered: true }
  t.equal(await thrownBy(() => reportTo({ url: origin })(prerendered, () => Promise.reject(error))), error)
  t.notOk('digest' in error)
  t.same(records, [])
})

t.test('if an action fails, the visitor sees the digest but not the message', async t => {
  const { url: origin, records } = await ingestServer(t)
  const printed = t.capture(console, 'error')
  const error = new Error('wrong database password')
  const action = reportAction(() => Promise.reject(error), { url: origin })
  const { message } = Object(await thrownBy(() => action({}, context)))
  const [, digest] = /^Internal Server Error\. Digest: ([\da-f]{12})$/.exec(message) ?? []
  t.ok(digest)
  t.same(printed()[0]?.args, [error])
  t.match(records, [{ err: { message: error.message, digest }, 'url.path': '/cart/7' }])
})

t.test('an action can return a value and reject its input', async t => {
  const { url: origin, records } = await ingestServer(t)
  const options = { url: origin }
  t.equal(await reportAction((count: number) => count + 1, options)(1, context), 2)
  for (const type of ['AstroActionError', 'AstroActionInputError']) {
    const refusal = Object.assign(new Error('sold out'), { type })
    t.equal(await thrownBy(() => reportAction(() => Promise.reject(refusal), options)({}, context)), refusal)
  }
  t.same(records, [])
})

t.test('the visitor gets the digest even if Sixpane is unreachable', async t => {
  const warned = new Promise<unknown>(resolve => t.capture(console, 'warn', resolve))
  t.intercept(Math, 'random', { value: () => 0 })
  t.capture(console, 'error')
  const middleware = reportTo({ url: 'http://127.0.0.1:1' })
  const thrown = await thrownBy(() => middleware(context, () => Promise.reject(new Error('no cart'))))
  t.match(thrown, { digest: /^[\da-f]{12}$/ })
  t.match(await warned, /^\(sixpane\/astro\) Failures are not reported/)
})

t.test('a page that is cancelled because the visitor left is not a failure', async t => {
  const { url: origin, records } = await ingestServer(t)
  let isCancelled = false
  const endless = new ReadableStream({
    pull: controller => controller.enqueue(new Uint8Array(1)),
    cancel: () => {
      isCancelled = true
    },
  })
  const page = new Response(endless, { headers: { 'content-type': 'text/html' } })
  const response = await reportTo({ url: origin })(context, async () => page)
  await response.body?.cancel()
  await new Promise(resolve => setImmediate(resolve))
  t.ok(isCancelled)
  t.same(records, [])
})
