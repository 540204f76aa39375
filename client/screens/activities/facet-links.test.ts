import t from 'tap'
import type { Facet } from '../../../shared/screens/activities.ts'
import { facetHref } from './facet-links.ts'

const view = (q: string) => ({ q, range: { span: '6h' as const }, facets: [] })

t.test('facet values link to searches that include or exclude them', async t => {
  const error = view('checkout severity:error')
  t.equal(
    facetHref(error, 'service', 'shop', false, false),
    '/activities?q=checkout+severity:error+service:shop&range=6h',
  )
  t.equal(
    facetHref(error, 'service', 'shop', true, false),
    '/activities?q=checkout+severity:error+-service:shop&range=6h',
  )
})

t.test('included and excluded facet values link to searches without them', async t => {
  const both = view('service:shop -route:/healthz')
  t.equal(facetHref(both, 'service', 'shop', false, true), '/activities?q=-route:/healthz&range=6h')
  t.equal(facetHref(both, 'route', '/healthz', true, true), '/activities?q=service:shop&range=6h')
  t.equal(
    facetHref(both, 'route', '/healthz', false, false),
    '/activities?q=service:shop+route:/healthz&range=6h',
  )
})

t.test('the links keep the columns and the expanded facet', async t => {
  const expanded: Facet = { field: 'route', label: 'Route', values: [], href: '/activities', find: '' }
  t.equal(
    facetHref({ ...view(''), urlColumns: 'message', facets: [expanded] }, 'service', 'shop', false, false),
    '/activities?q=service:shop&range=6h&columns=message&facet=route',
  )
})
