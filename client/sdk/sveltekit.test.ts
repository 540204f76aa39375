import t from 'tap'
import { startRequestContext } from './request-context.ts'
import { reportTo } from './sveltekit.ts'
import { ingestServer } from './testing/ingest-server.ts'

// `reportTo` does not start a second context, so the tests can stop this one.
t.teardown(startRequestContext())

const event = {
  request: new Request('http://shop.example/cart/7?token=s3cret', {
    method: 'POST',
    headers: { cookie: 'session=s3cret', 'x-request-id': '7f3a' },
  }),
  url: new URL('http://shop.example/cart/7?token=s3cret'),
  route: { id: '/cart/[id]' },
}

t.test('an unexpected error gets a digest that the visitor sees and the report contains', async t => {
  const { url, received } = await ingestServer(t)
  const printed = t.capture(console, 'error')
  const handleError = reportTo({ url, service: 'shop', release: '1.2.0' })
  const error = new TypeError('the password is wrong')
  const shown = handleError({ kind: 'unknown', error, event })
  t.match(shown?.digest, /^[\da-f]{12}$/)
  t.same(shown, { message: `Internal Error. Digest: ${shown?.digest}`, digest: shown?.digest })
  t.same(printed()[0]?.args, ['Request failed', { digest: shown?.digest }, error])
  const [record] = await received(1)
  t.match(record, {
    service: 'shop',
    release: '1.2.0',
    err: { type: 'TypeError', digest: shown?.digest, stack: 'sveltekit.test.ts' },
    method: 'POST',
    route: '/cart/[id]',
    'url.path': '/cart/7',
    requestId: '7f3a',
  })
  t.notMatch(JSON.stringify(record), /s3cret/)
})

t.test('reports the errors of SvelteKit 2, which have a status instead of a kind', async t => {
  const { url, received } = await ingestServer(t)
  t.capture(console, 'error')
  const handleError = reportTo({ url })
  t.match(handleError({ error: 'text', event, status: 500, message: 'Internal Error' }), {
    message: /^Internal Error\. Digest: /,
  })
  t.match(await received(1), [{ msg: 'text', err: { type: 'Error' } }])
})

t.test('expected errors are not reported', async t => {
  const { url, records } = await ingestServer(t)
  const handleError = reportTo({ url })
  for (const caught of [
    { kind: 'app', error: { message: 'sold out', status: 500 } },
    { kind: 'framework', error: { message: 'Not Found', status: 404 } },
    { kind: 'validation', error: { message: 'Bad Request', status: 400 } },
    { error: new Error('Not found: /x'), status: 404, message: 'Not Found' },
  ])
    t.equal(handleError({ ...caught, event }), undefined)
  t.same(records, [])
})
