import t from 'tap'
import type { EventLinks, EventRow, LogEvent } from '../../shared/event.ts'
import { paths } from '../../shared/paths.ts'
import { EventDetails } from './event-details.tsx'
import { render, testNowMs, textOf } from './testing.tsx'

const bare: LogEvent = {
  id: 7,
  timeMs: testNowMs,
  severity: 'error',
  service: 'shop',
  release: null,
  source: 'ndjson',
  body: 'card declined',
  requestId: null,
  traceId: null,
  spanId: null,
  method: null,
  route: null,
  status: null,
  durationMs: null,
  exception: null,
  digest: null,
  fingerprint: null,
  attributes: {},
}
const details = (event: Partial<LogEvent & Pick<EventRow, 'path'>>, q = '', links: EventLinks = {}) =>
  render(
    <EventDetails event={{ ...bare, ...event }} q={q} hrefFor={q => paths.activities({ q })} links={links} />,
  )

/** The searches that a row links to. */
function searches(html: string, row: string): (string | null)[] {
  const part =
    new RegExp(`<dt><bdi>${row.replaceAll('.', '\\.')}</bdi></dt>(.*?)</dd>`, 's').exec(html)?.[1] ?? ''
  return [...part.matchAll(/href="([^"]*)"/g)].map(([, href]) =>
    new URL(href?.replaceAll('&amp;', '&') ?? '', 'http://localhost').searchParams.get('q'),
  )
}

t.test('links each field to the current search with a term that includes or excludes its value', async t => {
  const html = details({ route: '/cart/:id', status: 500 }, '"card declined"')
  t.same(searches(html, 'service'), ['"card declined" service:shop', '"card declined" -service:shop'])
  t.same(searches(html, 'route'), ['"card declined" route:"/cart/:id"', '"card declined" -route:"/cart/:id"'])
  t.same(searches(html, 'status'), ['"card declined" status:500', '"card declined" -status:500'])
  t.same(searches(html, 'release'), [], 'a field without a value is omitted')
})

t.test('links attributes to searches by path, unless the value is not searchable', async t => {
  const html = details({
    attributes: {
      cart: { id: 'c 1', total: null },
      paid: false,
      status: 'a field has this name',
      'with space': 1,
      long: 'x'.repeat(300),
      list: [1],
      lines: 'a\nb',
      wei: 1e21,
    },
  })
  t.same(searches(html, 'cart.id'), ['cart.id:"c 1"', '-cart.id:"c 1"'])
  t.same(searches(html, 'paid'), ['paid:false', '-paid:false'])
  t.same(searches(html, 'with space'), ['"with space":1', '-"with space":1'])
  t.same(searches(html, 'status'), [
    'attributes.status:"a field has this name"',
    '-attributes.status:"a field has this name"',
  ])
  t.same(searches(html, 'wei'), ['wei:1e+21', '-wei:1e+21'])
  for (const row of ['cart.total', 'long', 'list', 'lines']) t.same(searches(html, row), [], row)
})

t.test('links an attribute only if a search for its path finds it', async t => {
  const attributes = { container: { 'all.labels': { service: 'web' } }, labels: { 'app.name': 'shop' } }
  const html = render(
    <EventDetails
      event={{ ...bare, attributes }}
      q=""
      hrefFor={q => paths.activities({ q })}
      columnHref={() => '/column'}
      countHref={() => '/count'}
    />,
  )
  t.notMatch(html, 'container.all.labels.service')
  t.same(searches(html, 'container.all.labels'), [null, null], 'the column and the count')
  t.same(searches(html, 'labels.app.name'), ['labels.app.name:shop', '-labels.app.name:shop', null, null])
})

t.test('links to the failure, and to all events of the request and the trace', async t => {
  const links = { failure: '#failure', request: '#request', trace: '#trace' }
  const text = /View failure.*View request.*View trace/
  const html = details({ requestId: 'req-1', traceId: 'ab'.repeat(16) }, '', links)
  t.match(textOf(html), text)
  for (const href of Object.values(links)) t.match(html, `href="${href}"`)
  t.notMatch(details({ requestId: 'ab', traceId: 'ab' }, '', links), /View request/, 'the same id')
  t.notMatch(details({}), /View (failure|request|trace)/)
})

t.test('collapses long attribute lists and long values', async t => {
  const attributes = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`key${index}`, index]))
  const html = details({ attributes, body: 'word '.repeat(2000) })
  t.match(html, '<summary>476 more attributes</summary>')
  t.match(textOf(html), 'Attributes (500)')
  t.match(html, 'key499')
  t.match(textOf(html), 'all 9,999 characters')
})

t.test('shows the type, message and stack of an exception', async t => {
  const exception = {
    type: 'TypeError',
    message: 'x is null',
    stack: 'TypeError: x is null\n    at pay (a.ts:1:2)',
  }
  const text = textOf(details({ exception }))
  t.match(text, 'TypeError x is null card declined')
  t.match(text, 'Stack trace Raw stack trace TypeError: x is null at pay (a.ts:1:2)')
  t.match(textOf(details({ exception: { ...exception, stack: null } })), 'No stack trace was logged.')
})

t.test('shows the path of a request without a route, as rows do', async t => {
  const request = { method: 'GET', status: 200, body: 'request completed' }
  t.match(textOf(details({ ...request, path: '/carts/7' })), 'GET /carts/7 request completed')
  t.match(textOf(details({ ...request, route: '/carts/:id' })), 'GET /carts/:id request completed')
})

t.test('shows the request of a failure once if its logged message contains the request', async t => {
  const failed = {
    method: 'GET',
    route: '/',
    body: 'GET / failed',
    exception: { type: 'Error', message: 'no cart', stack: null },
  }
  t.equal(textOf(details(failed)).match(/GET \//g)?.length, 1)
})

t.test('escapes HTML in events', async t => {
  const nasty = '</dd><script>alert(1)</script>'
  const html = details({ body: nasty, service: nasty, attributes: { [nasty]: nasty } })
  t.notMatch(html, '<script')
})
