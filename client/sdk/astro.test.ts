import t from 'tap'
import { reportTo } from './astro.ts'
import { startRequestContext } from './request-context.ts'
import { ingestServer } from './testing/ingest-server.ts'

// `reportTo` does not start a second context, so the tests can stop this one.
t.teardown(startRequestContext())

const context = {
  request: new Request('http://shop.example/cart/7?token=s3cret', { headers: { cookie: 'session=s3cret' } }),
  url: new URL('http://shop.example/cart/7?token=s3cret'),
  routePattern: '/cart/[id]',
  isPrerendered: false,
}
const html = { headers: { 'content-type': 'text/html' } }

t.test('the page of errors gets the error with its digest', async t => {
  const { url, received } = await ingestServer(t)
  t.capture(console, 'error')
  const onRequest = reportTo({ url, service: 'shop' })
  const error = new TypeError('no cart')
  await t.rejects(
    onRequest(context, async () => {
      throw error
    }),
    error,
  )
  const [record] = await received(1)
  const digest = Reflect.get(error, 'digest')
  t.match(digest, /^[\da-f]{12}$/)
  t.match(record, {
    err: { type: 'TypeError', digest },
    route: '/cart/[id]',
    'url.path': '/cart/7',
    status: 500,
  })
  t.notMatch(JSON.stringify(record), /s3cret/)
})

t.test('thrown values without properties become errors with a digest', async t => {
  const { url, received } = await ingestServer(t)
  t.capture(console, 'error')
  const onRequest = reportTo({ url })
  for (const thrown of ['text', null, Object.freeze(new Error('frozen'))]) {
    const shown: unknown = await onRequest(context, () => Promise.reject(thrown)).catch(each => each)
    t.match(shown, { digest: /^[\da-f]{12}$/, cause: thrown })
  }
  t.match(await received(3), [{ msg: 'text' }, { msg: 'null' }, { msg: 'frozen' }])
})

t.test('a page that fails after its first part ends with the digest', async t => {
  const { url, received } = await ingestServer(t)
  t.capture(console, 'error')
  const failing = new ReadableStream<Uint8Array>({
    start: controller => controller.enqueue(new TextEncoder().encode('<h1>Cart</h1>')),
    pull: controller => controller.error(Object.assign(new Error('no price'), { digest: '<7&' })),
  })
  const response = await reportTo({ url })(context, async () => new Response(failing, html))
  t.equal(await response.text(), '<h1>Cart</h1><p>Digest: &lt;7&amp;</p>')
  t.match(await received(1), [{ msg: 'no price', err: { digest: '<7&' } }])
})

t.test('other responses are not changed', async t => {
  const { url, records } = await ingestServer(t)
  const onRequest = reportTo({ url })
  const json = new Response('{}', { headers: { 'content-type': 'application/json' } })
  t.equal(await onRequest(context, async () => json), json)
  const page = new Response('<p>Cart</p>', { ...html, status: 201 })
  const response = await onRequest(context, async () => page)
  t.equal(response.status, 201)
  t.equal(await response.text(), '<p>Cart</p>')
  await t.rejects(
    onRequest({ ...context, isPrerendered: true }, () => Promise.reject(new Error('build'))),
    { message: 'build', digest: undefined },
  )
  t.same(records, [])
})

t.test('a visitor who leaves cancels the page', async t => {
  let isCancelled = false
  const endless = new ReadableStream({
    pull: controller => controller.enqueue(new Uint8Array(1)),
    cancel: () => {
      isCancelled = true
    },
  })
  const { url } = await ingestServer(t)
  const response = await reportTo({ url })(context, async () => new Response(endless, html))
  await response.body?.cancel()
  t.ok(isCancelled)
})
