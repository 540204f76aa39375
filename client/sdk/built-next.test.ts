/** Calls the built `sixpane/next` as Next.js does, and finds the failure by the digest that a visitor saw. */
import t from 'tap'
import { startServer } from '../../scripts/test/server.ts'
import { paths } from '../../shared/paths.ts'
import { until } from '../../shared/testing/until.ts'

const { reportTo }: typeof import('./next.ts') = await import(
  String(new URL('../../dist/sdk/next.js', import.meta.url))
)

t.test('a failure is found by the digest on a Next.js error page', async t => {
  const server = await startServer()
  t.teardown(() => server.stop())
  const onRequestError = reportTo({ url: server.origin, service: 'storefront', release: '9f2c1ab' })
  const error = Object.assign(new Error('no cart', { cause: new TypeError('no price') }), {
    digest: '4163817072',
  })
  await onRequestError(
    error,
    { path: '/cart/7?coupon=s3cret', method: 'GET', headers: { cookie: 'session=s3cret' } },
    {
      routerKind: 'App Router',
      routePath: '/cart/[id]',
      routeType: 'render',
      renderSource: 'react-server-components',
      revalidateReason: undefined,
    },
  )

  // The digest format of Next.js 15.5.
  const find = () => fetch(server.origin + paths.activities({ q: '4163817072@E352' }))
  // A report does not delay a request by more than a second, so the server may still be storing the report.
  const page = await until(find, ({ url }) => url.includes(paths.development()))
  const text = await page.text()
  for (const expected of ['no cart', 'storefront', '9f2c1ab', '/cart/[id]', 'built-next.test.ts', 'no price'])
    t.match(text, expected)
  t.notMatch(text, 's3cret')
})
