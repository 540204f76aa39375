import t from 'tap'
import { startRequestContext } from './request-context.ts'
import { reportLoaders, reportTo } from './tanstack-start.ts'
import { ingestServer } from './testing/ingest-server.ts'

// `reportTo` does not start a second context, so the tests can stop this one.
t.teardown(startRequestContext())

const request = new Request('http://shop.example/')
const failing = (error: unknown) => ({ next: () => Promise.reject(error), request })
const shown = { message: /^Internal Server Error\. Digest: [\da-f]{12}$/ }

t.test("the browser gets a digest instead of the message of a server function's error", async t => {
  const { url, received } = await ingestServer(t)
  t.capture(console, 'error')
  const { onServerFunction, onRequest } = reportTo({ url, service: 'shop' })
  const error = new TypeError('the password is wrong')
  const visible: Error = await onServerFunction(failing(error)).catch(each => each)
  t.match(visible, shown)
  const digest = Reflect.get(visible, 'digest')
  t.match(await received(1), [
    { service: 'shop', err: { type: 'TypeError', digest, stack: 'tanstack-start.test.ts' } },
  ])
  await t.rejects(onServerFunction(failing(visible)), visible, 'the error is not reported again')
  await t.rejects(onRequest({ ...failing(visible), handlerType: 'serverFn' }), visible)
})

t.test('the response to a failed request contains the digest', async t => {
  const { url, received } = await ingestServer(t)
  t.capture(console, 'error')
  const { onRequest } = reportTo({ url })
  const response = await onRequest({ ...failing(new Error('no cart')), handlerType: 'router' })
  if (!(response instanceof Response)) throw new Error('There is no response')
  t.equal(response.status, 500)
  t.match({ message: await response.text() }, shown)
  t.match(await received(1), [{ msg: 'no cart' }])
})

t.test(
  'a failure contains its request, even if the request came before `reportTo` or not from `node:http`',
  async t => {
    const { url, records } = await ingestServer(t)
    t.capture(console, 'error')
    const { onRequest, onServerFunction } = reportTo({ url })
    const options: { onError?: (error: unknown) => void } = {}
    reportLoaders({ routesById: { '/cart': { id: '/cart', options } } })
    const traceId = '0af7651916cd43dd8448eb211c80319c'
    const request = new Request('http://shop.example/cart?coupon=SPRING', {
      method: 'POST',
      headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` },
    })
    const requested = { method: 'POST', 'url.path': '/cart', traceId }
    const nexts = [
      async () => options.onError?.(new Error('failed in loader')),
      () => onServerFunction({ next: () => Promise.reject(new Error('failed in function')) }),
    ]
    for (const next of nexts)
      await onRequest({ next, request, handlerType: 'serverFn' }).catch(error => t.match(error, shown))
    t.match(
      records,
      [
        { msg: 'failed in loader', ...requested },
        { msg: 'failed in function', ...requested },
      ],
      'the response waits until the failure is stored',
    )
  },
)

t.test('a failure outside requests has no method or path', async t => {
  const { url, received } = await ingestServer(t)
  t.capture(console, 'error')
  const { onServerFunction } = reportTo({ url })
  await t.rejects(onServerFunction(failing(new Error('no cart'))), shown)
  const [record] = await received(1)
  t.notOk('method' in Object(record) || 'url.path' in Object(record))
})

t.test('results, redirects and missing pages are passed on unchanged', async t => {
  const { url, records } = await ingestServer(t)
  const { onRequest, onServerFunction } = reportTo({ url })
  t.equal(await onServerFunction({ next: () => 7 }), 7)
  for (const expected of [Response.redirect('http://shop.example/'), { isNotFound: true }])
    await t.rejects(
      onRequest({ ...failing(expected), handlerType: 'router' }).then(
        () => null,
        each => Promise.reject(each === expected ? new Error('expected') : each),
      ),
      { message: 'expected' },
    )
  t.same(records, [])
})

t.test('errors with a 4xx status keep it, and are not reported', async t => {
  const { url, records, received } = await ingestServer(t)
  t.capture(console, 'error')
  const { onRequest, onServerFunction } = reportTo({ url })
  const denied = Object.assign(new Error('not yours'), { status: 403 })
  await t.rejects(onServerFunction(failing(denied)), { message: 'not yours', status: 403 })
  await t.rejects(onRequest({ ...failing(denied), handlerType: 'router' }), {
    message: 'not yours',
    status: 403,
  })
  t.same(records, [])
  const options: { onError?: (error: unknown) => void } = {}
  reportLoaders({ routesById: { '/': { id: '/', options } } })
  t.throws(() => options.onError?.(denied), shown, 'the page of a failed loader has status 500')
  t.match(await received(1), [{ msg: 'not yours', route: '/' }])
})

t.test('requests that the visitor aborted are not reported', async t => {
  const { url, records } = await ingestServer(t)
  const printed = t.capture(console, 'error')
  const { onRequest } = reportTo({ url })
  const aborted = new Request('http://shop.example/', { signal: AbortSignal.abort() })
  const { reason } = aborted.signal
  await t.rejects(onRequest({ ...failing(reason), request: aborted, handlerType: 'router' }), reason)
  t.same(printed(), [])
  t.same(records, [])
})

t.test('invalid input from visitors is not reported', async t => {
  const { url, records, received } = await ingestServer(t)
  t.capture(console, 'error')
  const { onServerFunction } = reportTo({ url })
  class SearchParamError extends Error {}
  const issues = JSON.stringify([{ message: 'Expected a number', path: ['count'] }], undefined, 2)
  for (const error of [new SearchParamError('page'), new Error(issues)]) {
    const thrown: unknown = await onServerFunction(failing(error)).catch(each => each)
    t.equal(thrown, error, 'the browser gets the issues')
  }
  t.same(records, [])
  for (const message of ['[', '[]', '[1]', '{"message":"a"}'])
    await t.rejects(onServerFunction(failing(new Error(message))), shown)
  t.equal((await received(4)).length, 4)
})

t.test('loader errors are reported, and replaced with errors that contain a digest', async t => {
  const { url, received } = await ingestServer(t)
  t.capture(console, 'error')
  reportTo({ url })
  const seen: unknown[] = []
  const own = { id: '/cart/$id', options: { onError: (error: unknown) => void seen.push(error) } }
  const plain: { id: string; options: { onError?: (error: unknown) => void } } = { id: '/', options: {} }
  const router = { routesById: { '/': plain, '/cart/$id': own } }
  t.equal(reportLoaders(router), router)
  const error = new Error('no cart')
  t.throws(() => own.options.onError(error), shown)
  t.same(seen, [error], 'the handler of the route is called')
  t.throws(() => plain.options.onError?.(error), shown)
  t.match(await received(2), [{ route: '/cart/$id' }, { route: '/' }])
})

t.test(
  'loader errors are reported once, although each request creates a router with the same routes',
  async t => {
    const { url, received, records } = await ingestServer(t)
    t.capture(console, 'error')
    reportTo({ url })
    const route: { id: string; options: { onError?: (error: unknown) => void } } = { id: '/', options: {} }
    for (let requests = 0; requests < 20_000; requests++) reportLoaders({ routesById: { '/': route } })
    t.throws(() => route.options.onError?.(new Error('no cart')), shown)
    await received(1)
    t.match(records, [{ msg: 'no cart', route: '/' }])
  },
)
