import t from 'tap'
import { releaseHref, requestsHref, slowRequestsHref, vitalHref } from './request-search.ts'

const window = { fromMs: Date.UTC(2026, 10, 21, 10), toMs: Date.UTC(2026, 10, 21, 11) }
const times = { from: '2026-11-21T10:00Z', to: '2026-11-21T11:00Z' }

/** Returns the query parameters of a link. */
function queryOf(href: string): Record<string, string> {
  return Object.fromEntries(new URL(href, 'http://console.example').searchParams)
}

t.test('links show exactly the counted requests', async t => {
  const shop = { service: 'shop & co' }
  const cart = { ...shop, method: 'GET', route: '/cart/:id' }
  const terms = 'service:"shop & co" method:GET route:"/cart/:id"'
  t.same(queryOf(requestsHref(shop, window)), { q: 'service:"shop & co" status:* duration:*', ...times })
  t.same(queryOf(requestsHref(shop, window, 'errors')), {
    q: 'service:"shop & co" status:>=500 duration:*',
    ...times,
  })
  t.same(queryOf(requestsHref(cart, window)), { q: `${terms} status:* duration:*`, ...times })
  t.same(queryOf(requestsHref(cart, window, 'errors')), { q: `${terms} status:>=500 duration:*`, ...times })
})

t.test('the link for requests without a route shows those requests', async t => {
  const { q } = queryOf(requestsHref({ service: 'a', method: null, route: null }, window))
  t.equal(q, 'service:a -method:* -route:* status:* duration:*')
})

t.test('links show the reports of a Web Vital and the events of a release', async t => {
  t.same(queryOf(vitalHref({ service: 'shop', route: null }, 'LCP', window)), {
    q: 'service:shop -route:* vital.name:LCP vital.value:>=0 (source:browser OR source:own OR source:sentry)',
    ...times,
  })
  t.same(queryOf(releaseHref({ service: 'shop', release: '1.4.2 beta' }, window)), {
    q: 'service:shop release:"1.4.2 beta"',
    ...times,
  })
})

t.test('the search for slow requests starts below the percentile, which is only accurate to 1%', async t => {
  const search = (percentileMs: number) => queryOf(slowRequestsHref({ service: 'a' }, window, percentileMs)).q
  t.same(queryOf(slowRequestsHref({ service: 'a' }, window, 125.2047)), {
    q: 'service:a status:* duration:>=123',
    ...times,
  })
  t.equal(search(0.0123456), 'service:a status:* duration:>=0.0122')
  t.equal(search(98_765), 'service:a status:* duration:>=97300')
  t.equal(search(0), 'service:a status:* duration:>=0')
})
