import t from 'tap'
import type { Facet } from '../../../shared/screens/activities.ts'
import { hrefOfExcluded, hrefOfToggled } from './facet-links.ts'

const view = (q: string) => ({ q, range: { span: '6h' as const }, facets: [], facetFind: '' })

t.test('facet values link to searches that include or exclude them', async t => {
  const error = view('checkout severity:error')
  t.equal(
    hrefOfToggled(error, 'service', 'shop'),
    '/activities?q=checkout+severity:error+service:shop&range=6h',
  )
  t.equal(
    hrefOfExcluded(error, 'service', 'shop', false),
    '/activities?q=checkout+severity:error+-service:shop&range=6h',
  )
  t.equal(
    hrefOfToggled(view('service:shop'), 'service', 'api'),
    '/activities?q=%28service:shop+OR+service:api%29&range=6h',
  )
})

t.test('a facet link removes an included or excluded value, or includes an excluded one', async t => {
  const both = view('service:shop -route:/healthz')
  t.equal(hrefOfToggled(both, 'service', 'shop'), '/activities?q=-route:/healthz&range=6h')
  t.equal(hrefOfExcluded(both, 'route', '/healthz', true), '/activities?q=service:shop&range=6h')
  t.equal(hrefOfToggled(both, 'route', '/healthz'), '/activities?q=service:shop+route:/healthz&range=6h')
})

t.test('the links preserve the columns, the expanded facet and the text that filters the facets', async t => {
  const expanded: Facet = { field: 'route', label: 'Route', values: [], href: '/activities', expanded: true }
  t.equal(
    hrefOfToggled(
      { ...view(''), urlColumns: 'message', facets: [expanded], facetFind: 'sh' },
      'service',
      'shop',
    ),
    '/activities?q=service:shop&range=6h&columns=message&facet=route&find=sh',
  )
})

t.test('values of attributes become terms that find exactly the counted events', async t => {
  const cases: [name: string, value: string, q: string][] = [
    ['tenant', 'acme', 'tenant:acme'],
    ['tenant', 'Acme & "Co"', 'tenant:"Acme & \\"Co\\""'],
    ['tenant', '', 'tenant:""'],
    ['tenant', '["a",1]', 'tenant:"[\\"a\\",1]"'],
    ['ok', 'true', 'ok:true'],
    ['build', '1.1', 'build:"1.1"'],
    ['code', '5xx', 'code:"5xx"'],
    ['attributes.level', 'high', 'attributes.level:high'],
    ['"with space"', 'a', '"with space":a'],
  ]
  const qOf = (href: string) => new URLSearchParams(href.replace('/activities', '')).get('q') ?? ''
  for (const [name, value, q] of cases) {
    t.equal(qOf(hrefOfToggled(view(''), name, value)), q)
    t.equal(qOf(hrefOfToggled(view(q), name, value)), '', `${q} is removed`)
    t.equal(qOf(hrefOfToggled(view(q), name, 'b')), `(${q} OR ${name}:b)`)
    const excluded = qOf(hrefOfExcluded(view(q), name, value, false))
    t.equal(excluded, `-${q}`)
    t.equal(qOf(hrefOfExcluded(view(excluded), name, value, true)), '')
  }
  t.equal(
    qOf(hrefOfToggled(view('level:error'), 'attributes.level', 'error')),
    'level:error attributes.level:error',
  )
  t.equal(qOf(hrefOfToggled(view('attributes.tenant:acme'), 'tenant', 'acme')), '')
  t.equal(qOf(hrefOfToggled(view('build:1.1'), 'build', '1.1')), '', 'a typed number is the same value')
})
