import t from 'tap'
import { shortRoute } from './short-route.ts'

t.test('a route that fits is unchanged', async t => {
  t.equal(shortRoute('GET', '/cart/:id'), 'GET /cart/:id')
  t.equal(shortRoute(null, '/cart/:id'), '/cart/:id')
})

t.test('a long route is cut in the middle, and keeps its start and its end', async t => {
  const route = '/api/customers/:customerId/orders/:orderId/refunds'
  t.equal(shortRoute('POST', route), 'POST /api/…/refunds')
  t.equal(shortRoute('POST', route, 300), 'POST /api/…/orders/:orderId/refunds')
  t.equal(shortRoute('POST', route, 1000), `POST ${route}`)
})

t.test('a long route without segments to leave out is unchanged', async t => {
  const route = '/a-single-segment-that-is-longer-than-the-column'
  t.equal(shortRoute('GET', route), `GET ${route}`)
  t.equal(shortRoute(null, `/api${route}`), `/api${route}`)
})
