import t from 'tap'
import { defaultColumns, parseColumns, writeColumns } from '../../../shared/columns.ts'
import { type EventRow, ownService } from '../../../shared/event.ts'
import type { Page } from '../../../shared/page.ts'
import { defaultPreferences } from '../../../shared/preferences.ts'
import type { ActivitiesContent, Facet, OpenEvent } from '../../../shared/screens/activities.ts'
import { render, ShownContent, testNowMs, textOf } from '../../components/testing.tsx'
import { loadViews } from '../registry.tsx'
import { withCounts } from './use-count-refresh.ts'

const views = await loadViews()
const Activities = ({ content }: { content: ActivitiesContent }) => (
  <ShownContent views={views} shown={{ screen: 'activities', content }} />
)

const event: OpenEvent = {
  id: 7,
  timeMs: testNowMs - 1000.5,
  severity: 'error',
  service: 'shop & co',
  release: null,
  source: 'ndjson',
  body: 'checkout failed',
  requestId: 'req-1',
  traceId: null,
  spanId: null,
  method: null,
  route: null,
  status: null,
  durationMs: null,
  exception: null,
  digest: '2338471',
  fingerprint: 'a41c09be72',
  attributes: { user: { plan: 'pro' } },
  links: {},
}
const row: EventRow = { ...event, exceptionType: null, exceptionMessage: null }

const content: ActivitiesContent = {
  q: 'checkout "two words"',
  confirmation: null,
  problem: null,
  unknownDigest: null,
  range: { span: '6h' },
  window: { fromMs: testNowMs - 6 * 3_600_000, toMs: testNowMs },
  columns: parseColumns(defaultColumns),
  logHref: '/activities?q=checkout+%22two+words%22&range=6h',
  marks: [],
  total: 2345,
  severities: [],
  histogram: null,
  histogramTable: null,
  facets: [],
  facetFind: '',
  events: [row],
  openFrames: [],
  part: null,
  countedTo: 9,
  open: null,
  openLateMs: null,
  openMissing: false,
  waterfall: null,
  saved: [],
  saveForm: { view: 'q=checkout', name: '', problem: null },
  olderHref: '/activities?before=o1',
  newerHref: null,
  zoomOutHref: '/activities?range=24h',
  withoutTerms: [{ term: 'checkout', href: '/activities?q=%22two+words%22' }],
  ownEvents: { shown: false, href: '/activities?q=checkout+source:*' },
  liveHref: '/live?after=7',
  noServices: false,
  queryMs: 12,
}
const page = (overrides: Partial<ActivitiesContent> = {}) =>
  render(<Activities content={{ ...content, ...overrides }} />)

t.test('a new search preserves the range, and a new range preserves the search', async t => {
  const html = page()
  t.match(html, '<input type="hidden" name="range" value="6h"/>')
  t.match(html, '<input type="hidden" name="q" value="checkout &quot;two words&quot;"/>')
  t.match(html, 'href="/activities?q=checkout+%22two+words%22&amp;range=24h"')
  const absolute = page({ range: { fromMs: testNowMs - 1000, toMs: testNowMs } })
  t.match(absolute, '<input type="hidden" name="from" value="2026-11-21T14:03:21.123Z"/>')
})

t.test('opening an event preserves the log page, and closing it returns to its row', async t => {
  const logHref = '/activities?q=checkout&range=6h&before=b1&columns=message&facet=route&find=sh'
  const log = logHref.replaceAll('&', '&amp;')
  t.match(page({ logHref }), `href="${log}&amp;event=7#event"`)
  const open = page({ logHref, open: event })
  t.match(open, `href="${log}#event-7"`)
  const all = `${encodeURIComponent(writeColumns(content.columns))}%2C%40user.plan`
  t.match(open, `href="${log.replace('columns=message', `columns=${all}`)}&amp;event=7#event"`)
  t.match(open, 'id="event-7"')
  t.match(textOf(open), 'user.plan')
  const request = { ...event, method: 'GET', route: null, exception: null }
  t.match(textOf(page({ open: { ...request, path: '/carts/7' } })), 'GET /carts/7')
})

t.test('an event links to its failure, its request, and the events around it', async t => {
  const links = { failure: '/development?failure=a41c09be72', request: '/activities?q=request:req-1' }
  const open = page({ open: { ...event, links } })
  for (const href of Object.values(links)) t.match(open, `href="${href}"`)
  const around = 'from=2026-11-21T14:02:51.123Z&amp;to=2026-11-21T14:03:51.123Z&amp;event=7#event-7'
  t.match(open, `href="/activities?${around}"`)
  t.match(open, `href="/activities?q=service:%22shop+%26+co%22&amp;${around}"`)
  const own = page({ open: { ...event, service: ownService, links } })
  t.match(own, `href="/activities?q=source:*&amp;${around}"`, 'the log shows Sixpane’s own event')
  t.match(own, `href="/activities?q=service:sixpane&amp;${around}"`)
})

t.test('without results, suggests a longer range and fewer terms', async t => {
  const html = page({ events: [], total: 0, olderHref: null })
  t.match(textOf(html), 'No matching events in the last 6 hours')
  t.match(html, 'href="/activities?range=24h"')
  t.match(textOf(html), 'Remove checkout from the search')
  const beyond = textOf(page({ events: [] }))
  t.match(beyond, 'No more events')
})

t.test('an empty log suggests a longer range and, if no service is connected, connecting one', async t => {
  const empty = { q: '', events: [], total: 0, withoutTerms: [] }
  const html = page(empty)
  t.match(textOf(html), 'No events in the last 6 hours Search a longer time range')
  t.notMatch(html, 'href="/development?view=connect"')
  t.match(page({ ...empty, noServices: true }), 'href="/development?view=connect"')
})

t.test(
  'an invalid search stays in the field, with an error message, and the syntax help is closed',
  async t => {
    const problem = { message: 'This parenthesis is not closed.', from: 0, to: 1 }
    const html = page({ q: '(shop', problem, events: [], total: 0 })
    t.match(html, 'value="(shop"')
    t.match(textOf(html), 'This parenthesis is not closed.')
    // The help would cover the problem.
    t.notMatch(html, /<details[^>]* open="">/)
    t.notMatch(textOf(html), 'No matching events')
  },
)

t.test('reports an unknown digest and an event that is not stored', async t => {
  const services = [{ service: 'shop', lastSeenMs: testNowMs - 7_200_000 }]
  const limits = { maxAgeMs: 30 * 86_400_000, maxBytes: 1e10 }
  const hints = { ...limits, oldestMs: testNowMs - 86_400_000, isLimited: false, services }
  const text = textOf(page({ unknownDigest: { digest: '4163817072', hints } }))
  t.match(text, /No event found for digest 4163817072/)
  t.match(text, /events are kept for 30 days \(max 10 GB\)\. The oldest is from 2026-11-20 14:03 \( ?1 d ago/)
  t.match(text, /shop 2 h ago/)
  const missing = textOf(page({ openMissing: true }))
  t.match(missing, 'This event is not stored here')
  t.match(
    missing,
    /may have been deleted by the retention policy , or the link may be from another Sixpane server/,
  )
})

t.test(
  'a long filter value with right-to-left letters is not split, because its parts would be in the wrong order',
  async t => {
    const value = '/shop/\u05e2\u05d2\u05dc\u05d4/:id/confirm'
    const html = page({
      facets: [
        {
          field: 'route',
          label: 'Route',
          values: [{ value, count: 1, state: 'none' }],
          href: null,
          expanded: false,
        },
      ],
    })
    t.match(html, `dir="auto" title="${value}">${value}</span>`)
  },
)

t.test('facet links have labels, and included and excluded values are marked', async t => {
  const html = page({
    q: 'service:shop -service:mail',
    facets: [
      {
        field: 'service',
        label: 'Service',
        values: [
          { value: 'shop', count: 1200, state: 'included' },
          { value: 'mail', count: null, state: 'excluded' },
        ],
        href: '/activities?facet=service',
        action: 'Show more service values',
        expanded: false,
      },
    ],
  })
  t.match(html, 'href="/activities?q=-service:mail&amp;range=6h" aria-current="true"')
  t.match(
    html,
    'href="/activities?q=-service:mail+-service:shop&amp;range=6h" aria-label="Exclude Service shop"',
  )
  t.match(html, 'href="/activities?q=service:shop&amp;range=6h" aria-label="Stop excluding Service mail"')
  t.match(html, /href="\/activities\?facet=service#filters">Show more service values/)
  const open = page({
    facets: [{ field: 'route', label: 'Route', values: [], href: '/activities', expanded: true }],
    facetFind: '"x"',
  })
  t.match(/<input[^>]*name="find"[^>]*>/.exec(open)?.[0], 'value="&quot;x&quot;"')
  t.match(open, '<input type="hidden" name="facet" value="route"/>')
  t.match(textOf(open), /No matching fields or values\./)
})

t.test('the facet of an attribute links to its counts until they are shown', async t => {
  const tenant: Facet = {
    field: '@tenant',
    label: 'tenant',
    term: 'attributes.tenant',
    values: [],
    href: '/activities?facet=%40tenant',
    action: 'Count tenant values',
    expanded: false,
  }
  const route: Facet = {
    field: 'route',
    label: 'Route',
    values: [{ value: '/', count: 1, state: 'none' }],
    href: null,
    expanded: false,
  }
  const closed = page({ facets: [route, tenant] })
  t.match(closed, /href="\/activities\?facet=%40tenant#filters">Count tenant values</)
  const note = 'No matching event has this attribute.'
  const none = page({ facets: [{ ...tenant, note, expanded: true }], facet: '@tenant' })
  t.match(textOf(none), `tenant ${note}`)
  t.match(none, '<input type="hidden" name="facet" value="@tenant"/>')
  const values = [
    { value: '', count: 3, state: 'none' },
    { value: `${'x'.repeat(500)}…`, count: 2, state: 'none', hasNoLink: true },
  ] as const
  const open = page({ q: '', facets: [{ ...tenant, values: [...values], expanded: true }] })
  t.match(open, 'href="/activities?q=attributes.tenant:%22%22&amp;range=6h&amp;facet=%40tenant"')
  t.match(textOf(open), /\(empty\) ?3/)
  t.equal(open.match(/class="facet-exclude"/g)?.length, 1, 'text that is cut has no links')
  t.equal(open.match(/class="facet-value" href/g)?.length, 1)
})

t.test('only a page with a live feed has the Live button', async t => {
  t.match(page(), /<button[^>]*>.*?<\/i>Live<\/button>/)
  t.notMatch(page({ liveHref: null }), 'Live</button>')
})

t.test('shows how many of the events are listed, and whether they are the newest', async t => {
  t.match(textOf(page()), 'Newest 1 of 2,345 events')
  const older = textOf(page({ newerHref: '/activities?after=n1', liveHref: null }))
  t.match(older, '1 of 2,345 events')
  t.notMatch(older, 'Newest')
  t.notMatch(textOf(page({ total: 1 })), '1 of')
})

t.test('saved searches are links, and a form saves the current search', async t => {
  const saved = [{ id: 's1', name: 'Slow <requests>', href: '/activities?q=slow', active: true }]
  const html = page({ saved })
  t.match(html, /<a href="\/activities\?q=slow" aria-current="true"><bdi>Slow &lt;requests&gt;/)
  t.match(html, /<input type="hidden" name="view" value="q=checkout"\/>/)
  t.match(
    html,
    /<form action="\/activities" method="post"><input type="hidden" name="form" value="save"\/><input type="hidden" name="page"/,
  )
  t.match(html, 'aria-label="Delete Slow &lt;requests&gt;"')
  const wrong = page({ saveForm: { view: 'q=checkout', name: '', problem: 'Enter a name' } })
  t.match(wrong, /<details class="menu activities-saved" data-menu="field" open="">/)
  t.match(textOf(wrong), 'Enter a name')
})

t.test('links to exports, and shows how many events the file will contain', async t => {
  const html = page({ total: 250_000 })
  t.match(html, /<a href="\/export\?[^"]*from=[^"]*format=csv" download=""/)
  t.match(textOf(html), 'Exports the newest 100,000 of 250,000 events.')
  const other = page({ columns: parseColumns('@tenant.id'), urlColumns: '@tenant.id' })
  t.match(other, /<a href="\/export\?[^"]*columns=%40tenant.id&amp;format=csv"/)
  t.match(other, /<a href="\/export\?(?![^"]*columns)[^"]*format=ndjson"/)
})

t.test('highlights the search terms, ignoring case', async t => {
  const html = page({ marks: ['CHECK', '$0.5 (x'] })
  t.match(html, '<mark>check</mark>out failed')
  const other = { ...row, body: 'paid $0.5 (x) <b>' }
  t.match(page({ marks: ['$0.5 (x'], events: [other] }), 'paid <mark>$0.5 (x</mark>) &lt;b&gt;')
})

t.test('reports a late delivery and a long pause', async t => {
  const opened = (openLateMs: number) => textOf(page({ open: event, openLateMs }))
  t.match(opened(2 * 3_600_000), 'Received 2 h late')
  t.notMatch(opened(3000), 'Received')
  const earlier = { ...row, id: 6, timeMs: row.timeMs - 3_600_000 }
  t.match(textOf(page({ events: [row, earlier] })), '1 h without matching events')
})

t.test(
  'live updates end with the first counts after the end of the range, but keep their feed’s rows',
  async t => {
    const pageWith = (overrides: Partial<ActivitiesContent>): Page & { screen: 'activities' } => ({
      build: 'b1',
      url: '/activities',
      title: 'Log',
      nowMs: testNowMs,
      preferences: defaultPreferences,
      screen: 'activities',
      content: { ...content, ...overrides },
    })
    const after = (countedTo: number | null) => {
      const { screen, content } = withCounts(pageWith({ countedTo: 7 }), pageWith({ countedTo }))
      if (screen !== 'activities') throw new Error('Another screen')
      return content
    }
    t.match(page(after(9)), 'aria-keyshortcuts="l"')
    t.notMatch(page(after(null)), 'aria-keyshortcuts="l"')
    t.equal(after(null).liveHref, '/live?after=7')
  },
)
