import t from 'tap'
import type { EventRow, LogEvent } from '../../../shared/event.ts'
import type { NotFoundHintsData } from '../../../shared/not-found-hints.ts'
import type {
  DevelopmentContent,
  DevelopmentFailure,
  DevelopmentFailures,
  FailureDetail,
  RequestLog,
} from '../../../shared/screens/development.ts'
import { render, ShownContent, testNowMs, textOf } from '../../components/testing.tsx'
import { PageContext, usePage } from '../../page.ts'
import { loadViews } from '../registry.tsx'

const views = await loadViews()
const Development = ({ content }: { content: DevelopmentContent }) => (
  <ShownContent views={views} shown={{ screen: 'development', content }} />
)

function PageAt({ url, shown }: { url: string; shown: DevelopmentContent }) {
  return (
    <PageContext value={{ ...usePage(), url, screen: 'development', content: shown }}>
      <Development content={shown} />
    </PageContext>
  )
}

const failure: FailureDetail = {
  id: '0123456789',
  state: 'open',
  stateMs: null,
  mutedUntilMs: null,
  resolved: null,
  returned: null,
  type: 'PaymentError',
  message: 'card <b>declined</b>',
  route: null,
  release: null,
  digests: ['4163817072@E352', '2338471'],
  digestCount: 2,
  services: ['shop'],
  serviceCount: 1,
  count: 3,
  firstSeenMs: testNowMs - 86_400_000 * 3,
  lastSeenMs: testNowMs - 5000,
  sparkline: [1, 2],
  chart: { name: 'days', html: '<figure>days</figure>' },
  impact: { occurrences: 7, requests: 5, withoutRequest: 1, users: 0, withoutUser: 7 },
  notes: [],
  noteForm: { text: '', problem: null },
  resolveForm: { release: '', problem: null },
  knownReleases: ['1.4.0'],
  fingerprints: [],
  fingerprintCount: 0,
  merge: null,
  splitProblem: null,
  frames: [],
  stack: 'PaymentError: card declined\n    at pay (/app/pay.js:18:9)',
  shownDigest: null,
  missingDigest: null,
  othersWithDigest: [],
  requestLog: null,
  occurrences: [
    {
      id: 7,
      timeMs: testNowMs - 5000,
      severity: 'error',
      service: 'shop',
      release: '1.4.0',
      source: 'ndjson',
      body: 'payment failed',
      requestId: 'r 1',
      traceId: 'a'.repeat(32),
      method: 'POST',
      route: '/pay',
      status: null,
      durationMs: null,
      digest: '2338471',
      fingerprint: '0123456789',
      exceptionType: 'PaymentError',
      exceptionMessage: null,
    },
  ],
  latest: null,
  context: null,
  stackOccurrence: null,
  hasStackOfOtherDigest: false,
  perRelease: [
    { release: '1.4.0', count: 3, firstSeenMs: testNowMs, lastSeenMs: testNowMs },
    { release: null, count: 4, firstSeenMs: testNowMs, lastSeenMs: testNowMs },
  ],
  omittedReleases: 0,
}

const filter = {
  range: { span: '24h' },
  window: { fromMs: Date.UTC(2026, 10, 20, 14, 30), toMs: testNowMs },
  sort: 'newest',
  state: 'open',
  text: '',
  service: null,
  page: 1,
  confirmation: null,
} as const

const content: DevelopmentFailures = {
  ...filter,
  view: 'failures',
  services: [],
  omittedServices: 0,
  states: { open: 0, resolved: 0, muted: 0 },
  failures: [],
  first: 1,
  total: 0,
  missing: null,
}

const shown: DevelopmentFailure = { ...filter, view: 'failure', failure }

/** The query strings of the links to a screen, in document order. */
function linksTo(path: string, html: string): Record<string, string>[] {
  return [...html.matchAll(/href="([^"]+)"/g)]
    .map(([, href = '']) => new URL(href.replaceAll('&amp;', '&'), 'http://console.example'))
    .filter(({ pathname }) => pathname === path)
    .map(({ searchParams }) => Object.fromEntries(searchParams))
}

t.test('shows the context of an occurrence, with older breadcrumbs collapsed', async t => {
  const breadcrumbs = Array.from({ length: 12 }, (_, index) => ({
    timeMs: index === 11 ? null : testNowMs - 1000 + index,
    level: 'info',
    category: 'cart',
    message: `step ${index} of`,
  }))
  const context = {
    url: 'https://shop.example/cart',
    user: 'ada@shop.example',
    userAgent: null,
    tags: [{ name: 'plan', value: 'pro' }],
    breadcrumbs,
  }
  const text = textOf(render(<Development content={{ ...shown, failure: { ...failure, context } }} />))
  t.match(text, 'URL https://shop.example/cart User ada@shop.example Tags plan: pro')
  t.match(text, /Breadcrumbs 2 earlier .*step 0 of.*step 1 of.*step 2 of/)
  t.notMatch(textOf(render(<Development content={shown} />)), 'Context of this occurrence')
})

t.test('the list links to the other pages, and a failure links back to its list', async t => {
  const html = render(<Development content={content} />)
  for (const view of ['connect', 'build', 'drill'])
    t.ok(
      linksTo('/development', html).some(link => link.view === view),
      view,
    )
  t.match(html, '<a href="/development" aria-current="page">Failures</a>')
  const filtered = { ...shown, sort: 'trend', state: 'all', text: 'card', service: 'shop' } as const
  t.same(linksTo('/development', render(<Development content={filtered} />)), [
    { q: 'card', service: 'shop', sort: 'trend', state: 'all', range: '24h' },
  ])
})

t.test(
  'a page of the list links to the previous and next page, and a failure links back to its page',
  async t => {
    const filtered = { sort: 'trend', state: 'all', text: 'card', service: 'shop', page: 2 } as const
    const view = { q: 'card', service: 'shop', sort: 'trend', state: 'all', range: '24h' }
    const list = { ...content, ...filtered, failures: [failure], first: 51, total: 1052 }
    const html = render(<Development content={list} />)
    t.match(textOf(html), 'Failures 51–51 of 1,052')
    const [before, after] = linksTo('/development', html.slice(html.indexOf('aria-label="Pages"')))
    t.strictSame([before, after], [view, { ...view, page: '3' }])
    t.match(html, /aria-label="Pages">.*>Previous<.*>Next</)
    const pages = linksTo('/development', html).filter(link => link.page === '2')
    t.strictSame(
      pages,
      [{ ...view, page: '2', failure: failure.id }],
      'sorting and filtering start at the first page',
    )
    const back = linksTo('/development', render(<Development content={{ ...shown, ...filtered }} />))
    t.strictSame(back, [{ ...view, page: '2' }])

    const first = render(<Development content={{ ...list, page: 1, first: 1 }} />)
    t.match(first, '>Next<')
    t.notMatch(first, '>Previous<')
    const last = render(<Development content={{ ...list, first: 1052 }} />)
    t.match(last, '>Previous<')
    t.notMatch(last, '>Next<')
    t.notMatch(
      render(<Development content={{ ...list, first: 1, page: 1, total: 1 }} />),
      'aria-label="Pages"',
    )
  },
)

t.test('a count in the list links to the counted occurrences', async t => {
  const countLink = (service: string | null) =>
    linksTo('/activities', render(<Development content={{ ...content, service, failures: [failure] }} />))[0]
  t.equal(countLink(null)?.q, 'failure:0123456789')
  t.equal(countLink('cart api')?.q, 'failure:0123456789 service:"cart api"')
})

const connect: DevelopmentContent = {
  view: 'connect',
  connect: [
    {
      id: 'curl',
      title: 'By curl',
      language: 'sh',
      code: "curl 'http://x/ingest'",
      note: 'Try it.',
      source: 'ndjson',
    },
  ],
}
const build: DevelopmentContent = {
  view: 'build',
  build: {
    version: '0.1.0',
    build: 'b1',
    builtAtMs: testNowMs,
    node: 'v24.0.0',
    chunks: [
      { name: 'entry-A.js', rawBytes: 2000, gzipBytes: 700, brotliBytes: 600 },
      { name: 'home-B.js', rawBytes: 1000, gzipBytes: 300, brotliBytes: 200 },
    ],
    dependencies: [{ name: 'fastify', version: '5.12.8' }],
  },
}

t.test('shows only the requested page', async t => {
  const html = render(<Development content={connect} />)
  t.match(html, '<a href="/development?view=connect" aria-current="page">Connect a service</a>')
  t.match(html, 'id="connect"')
  t.notMatch(html, 'id="failures"')
})

t.test('shows one failure alone, with counts that link to their events', async t => {
  const html = render(<Development content={shown} />)
  t.notMatch(html, 'id="failures"')
  t.match(html, 'card &lt;b&gt;declined')
  t.match(textOf(html), '3 in the last 24 hours 7 in total')
  const occurrences = linksTo('/activities', html).filter(({ q }) => q === 'failure:0123456789')
  t.match(occurrences, [
    { event: '7' },
    { from: '2026-11-20T14:30Z', to: '2026-11-21T14:03:22.123Z' },
    { from: '2026-11-18T14:03:22.123Z', to: '2026-11-21T14:03:17.124Z' },
  ])
})

t.test('an occurrence links to its request and trace, in a range around its time', async t => {
  const links = linksTo('/activities', render(<Development content={shown} />))
  const request = links.find(({ q }) => q === 'request:"r 1"')
  const trace = links.find(({ q }) => q === `trace:${'a'.repeat(32)}`)
  for (const link of [request, trace]) {
    t.ok(Date.parse(link?.from ?? '') < testNowMs - 5000 && testNowMs - 5000 < Date.parse(link?.to ?? ''))
  }
})

t.test('links to a request search only its service if the id is unique only within a process', async t => {
  const [occurrence] = failure.occurrences
  if (occurrence === undefined) throw new Error('The failure has no occurrence')
  const counted = { ...occurrence, requestId: 'req-7' }
  const html = render(
    <Development
      content={{
        ...shown,
        failure: {
          ...failure,
          occurrences: [counted, { ...counted, id: 6, service: 'pay' }],
          latest: { ...counted, spanId: null, exception: null, attributes: {} },
        },
      }}
    />,
  )
  const requests = linksTo('/activities', html).filter(
    ({ q, from }) => q?.startsWith('request:req-7') && from,
  )
  t.same(
    requests.map(({ q }) => q),
    ['shop', 'shop', 'shop', 'pay'].map(service => `request:req-7 service:${service}`),
  )
})

t.test('links to counts of all occurrences by the attributes of the latest one', async t => {
  const [occurrence] = failure.occurrences
  if (occurrence === undefined) throw new Error('The failure has no occurrence')
  const latest: LogEvent = {
    ...occurrence,
    spanId: null,
    exception: null,
    attributes: { tenant: 'acme', user: { id: 7 }, list: [1], none: null, long: 'x'.repeat(201) },
  }
  const html = render(<Development content={{ ...shown, failure: { ...failure, latest } }} />)
  t.match(textOf(html), 'Break down by tenant user.id Occurrences over time')
  const [link] = linksTo('/activities', html).filter(({ facet }) => facet === '@tenant')
  t.match(link, { q: `failure:${failure.id}`, from: /./, to: /./ })
  t.notMatch(textOf(render(<Development content={shown} />)), 'Break down by')
})

t.test('an occurrence without a route shows the path of its request', async t => {
  const [occurrence] = failure.occurrences
  if (occurrence === undefined) throw new Error('The failure has no occurrence')
  const newest = { ...occurrence, route: null, path: '/carts/7' }
  const latest: LogEvent = { ...newest, spanId: null, exception: null, attributes: {} }
  const occurrences = [newest, { ...newest, id: 6 }]
  const html = render(<Development content={{ ...shown, failure: { ...failure, occurrences, latest } }} />)
  const text = textOf(html)
  t.match(text, 'Path POST /carts/7 Request')
  t.equal(text.match(/POST \/carts\/7/g)?.length, 4, 'in the facts, the list of fields and both rows')
})

t.test('links to the failure that happened earlier in the same request', async t => {
  const [occurrence] = failure.occurrences
  if (occurrence === undefined) throw new Error('There is no occurrence')
  const upstream: EventRow = {
    ...occurrence,
    id: 2,
    fingerprint: 'merged',
    service: 'api',
    body: 'upstream <failed>',
    exceptionType: 'UpstreamError',
    exceptionMessage: null,
  }
  const withEarlier = (earlierFailure: RequestLog['earlierFailure']) => {
    const events = [{ ...upstream, id: 1 }, upstream, occurrence]
    const log = { occurrenceId: 7, earlierOccurrence: null, events, earlierFailure, more: false, q: '' }
    const requestLog = { ...log, range: filter.window }
    return render(<Development content={{ ...shown, failure: { ...failure, requestLog } }} />)
  }
  const html = withEarlier({ eventId: 2, failureId: 'other' })
  t.match(
    textOf(html),
    'Another failure happened earlier in this request UpstreamError in api : upstream <failed>',
  )
  t.ok(linksTo('/development', html).some(({ failure }) => failure === 'other'))
  t.notMatch(textOf(withEarlier(null)), 'Another failure')
})

t.test('says which occurrence a log, a stack or a context belongs to unless it is the latest', async t => {
  const [occurrence] = failure.occurrences
  if (occurrence === undefined) throw new Error('There is no occurrence')
  const earlier = { ...occurrence, id: 5, timeMs: testNowMs - 6_000_000, release: '1.3.9' }
  const latest = { ...occurrence, requestId: null, traceId: null }
  const events = [{ ...earlier, id: 4, body: 'cart loaded' }, earlier]
  const log = { events, earlierFailure: { eventId: 4, failureId: 'other' }, more: false, q: '' }
  const logOf = (earlierOccurrence: RequestLog['earlierOccurrence']) => ({
    requestLog: { ...log, occurrenceId: 5, earlierOccurrence, range: filter.window },
  })
  const context = { url: null, user: 'ada', userAgent: null, tags: [], breadcrumbs: [] }
  const htmlOf = (overrides: Partial<FailureDetail>) =>
    render(<Development content={{ ...shown, failure: { ...failure, context, ...overrides } }} />)
  const html = htmlOf({ occurrences: [latest, earlier], ...logOf(earlier), stackOccurrence: earlier })
  const text = textOf(html)
  t.match(
    text,
    /Stack trace From the occurrence at 12:23:22\.123 in release 1\.3\.9 , which is not the latest\./,
  )
  const other = textOf(htmlOf({ stackOccurrence: earlier, shownDigest: '42', hasStackOfOtherDigest: true }))
  t.match(other, 'in release 1.3.9 , which does not have this digest: only events from browsers have it.')
  t.match(
    text,
    /Log of an earlier request From the occurrence at 12:23:22\.123 in release 1\.3\.9 , because the latest occurrence has neither a trace ID nor a request ID\./,
  )
  t.match(
    text,
    /Context of another occurrence This context and the stack trace are from the occurrence at 12:23:22/,
  )
  t.match(text, 'Another failure came first in the request of an earlier occurrence')
  t.notMatch(text, /Log of this request|of this occurrence/)
  t.ok(linksTo('/activities', html).filter(({ event }) => event === '5').length > 3)

  const same = textOf(htmlOf({ occurrences: [earlier, latest], ...logOf(null), stackOccurrence: null }))
  t.notMatch(same, 'From the occurrence')
  t.match(same, /Log of this request.*Context of this occurrence/)
})

t.test('says whether the page shows the requested digest and its latest occurrence', async t => {
  const notice = (overrides: Partial<FailureDetail>) => {
    const shown = { ...failure, shownDigest: '2338471', ...overrides }
    const html = render(<Development content={{ ...filter, view: 'failure', failure: shown }} />)
    return textOf(/<div class="failure-of-digest">.*?<\/div>/s.exec(html)?.[0] ?? '')
  }
  const missing = { shownDigest: null, missingDigest: '42' }
  t.match(
    notice({ ...missing, othersWithDigest: [{ id: 'other', type: 'RangeError', message: 'm' }] }),
    /No stored occurrence of this failure has digest 42 Other failures with this digest: RangeError: m$/,
  )
  t.match(notice(missing), /has digest 42 Its events may have expired\.$/)
  t.match(notice({ lastSeenMs: testNowMs }), 'Show latest occurrence')
  t.match(notice({}), 'This is the latest occurrence.')
  t.notMatch(notice({}), 'Show latest')
})

t.test('every digest links to its events', async t => {
  const links = linksTo('/activities', render(<Development content={shown} />))
  t.ok(links.some(({ q }) => q === 'digest:4163817072@E352'))
  t.ok(links.some(({ q }) => q === 'digest:2338471'))
})

const hints: NotFoundHintsData = {
  maxAgeMs: 86_400_000,
  maxBytes: 1e10,
  oldestMs: null,
  services: [{ service: 'shop', lastSeenMs: testNowMs - 7_200_000 }],
  isLimited: false,
}

t.test('shows possible reasons why a digest or a failure was not found', async t => {
  const missing = { kind: 'digest', value: '<i>42', hints } as const
  const html = render(<Development content={{ ...content, missing }} />)
  t.match(html, '&lt;i&gt;42')
  t.match(textOf(html), 'Check that the service is connected.')
  const failure = { ...missing, kind: 'failure' } as const
  const text = textOf(render(<Development content={{ ...content, missing: failure }} />))
  t.match(text, 'The event may have expired: events are kept for 1 day')
  t.notMatch(text, 'Check that the digest is complete', 'the link to a failure contains no digest')
})

t.test('a viewer who may see only some services learns nothing false about the others', async t => {
  const textWith = (overrides: Partial<NotFoundHintsData>) => {
    const nothing: NotFoundHintsData = { ...hints, services: [], ...overrides }
    const missing = { kind: 'digest', value: '42', hints: nothing } as const
    return textOf(render(<Development content={{ ...content, missing }} />))
  }
  t.match(textWith({}), 'All stored events were searched.')
  t.match(textWith({}), 'No service has sent events yet.')
  const limited = textWith({ isLimited: true })
  t.match(limited, 'Only events of the services that you may see were searched.')
  t.match(limited, 'No events of the services that you may see are stored.')
  t.notMatch(limited, /All stored|No service has/)
})

const renderFailure = (overrides: Partial<FailureDetail>) =>
  render(<Development content={{ ...shown, failure: { ...failure, ...overrides } }} />)

const threeDaysAgo = testNowMs - 3 * 86_400_000

t.test(
  'an open failure can be resolved or muted, a muted one resolved or reopened, and a resolved one reopened',
  async t => {
    const forms = (html: string) =>
      [...html.matchAll(/value="(resolve|mute|reopen)"/g)].map(([, form]) => form)
    t.same(forms(renderFailure({})), ['resolve', 'resolve', 'resolve', 'mute', 'mute'])
    t.same(forms(renderFailure({ knownReleases: [] })), ['resolve', 'mute', 'mute'])
    t.same(forms(renderFailure({ state: 'muted' })), ['resolve', 'resolve', 'resolve', 'reopen'])
    t.same(forms(renderFailure({ state: 'resolved' })), ['reopen'])
    t.match(renderFailure({}), '<option value="1.4.0">')
  },
)

t.test('describes the state of the failure', async t => {
  const textWith = (overrides: Partial<FailureDetail>) => textOf(renderFailure(overrides))
  const resolved = { release: '1.4.0', atMs: threeDaysAgo }
  t.match(textWith({}), 'Open failures are shown on Home until they are resolved or muted.')
  t.match(
    textWith({ resolved, returned: { release: '1.5.0', atMs: testNowMs - 60_000 } }),
    /Returned in 1\.5\.0 .*Resolved 3 d ago ?, in 1\.4\.0 ?; reopened 1 min ago/,
  )
  t.match(
    textWith({ resolved, returned: { release: null, atMs: testNowMs } }),
    /Returned .*Resolved 3 d ago ?, in 1\.4\.0/,
  )
  t.match(
    textWith({ state: 'resolved', resolved }),
    /Resolved 3 d ago ?, in 1\.4\.0 ?\. Reopens if it occurs in this release or a later one/,
  )
  const next = { release: null, atMs: threeDaysAgo }
  t.match(
    textWith({ state: 'resolved', resolved: next }),
    /in the next release.*Reopens if it occurs in a newer release/,
  )
  t.match(
    textWith({ state: 'resolved', resolved: next, knownReleases: [] }),
    'Reopens at the next occurrence, because its services report no release.',
  )
  const hidden = { ...next, isReleaseHidden: true } as const
  const withHidden = textWith({ state: 'resolved', resolved: hidden, stateBy: 'ada' })
  t.match(withHidden, /Resolved 3 d ago ? by ada ?\./)
  t.notMatch(withHidden, /next release|Reopens/)
  t.match(
    textWith({ resolved: hidden, returned: { release: null, atMs: testNowMs - 60_000 } }),
    /Resolved 3 d ago ?; reopened 1 min ago/,
  )
  t.match(textWith({ state: 'muted', stateMs: threeDaysAgo }), /Muted 3 d ago ?\. Hidden from Home/)
})

t.test('shows how many requests and users are affected, and how many occurrences have no ID', async t => {
  t.match(textOf(renderFailure({})), 'Requests affected 5 1 occurrence without an ID')
  t.notMatch(textOf(renderFailure({})), 'Users affected')
  const impact = { occurrences: 7, requests: 0, withoutRequest: 7, users: 1200, withoutUser: 0 }
  t.match(textOf(renderFailure({ impact })), 'Requests affected – Users affected 1,200')
})

t.test('shows notes verbatim, each with a form that deletes it', async t => {
  const notes = [
    { id: 'n2', writtenMs: testNowMs - 60_000, text: '<script>\n two' },
    { id: 'n1', writtenMs: threeDaysAgo, text: 'first' },
  ]
  const html = renderFailure({ notes })
  t.match(html, '&lt;script&gt;\n two')
  t.match(textOf(html), /1 min ago Delete Delete note first 3 d ago/)
  t.same(
    [...html.matchAll(/name="id" value="(n\d)"/g)].map(([, id]) => id),
    ['n2', 'n1'],
  )
})

t.test('shows an invalid value in its field, and the problem at the top of the page', async t => {
  const html = renderFailure({ noteForm: { text: 'long <text>', problem: 'Enter at most 5000 characters' } })
  t.match(html, /<textarea[^>]*aria-invalid="true"[^>]*>long &lt;text&gt;/)
  t.match(html, '<a href="#notes">Enter at most 5000 characters')
  const release = renderFailure({ resolveForm: { release: 'x', problem: 'Enter the release' } })
  t.match(release, /<details[^>]* open="">/)
  t.match(release, '<a href="#failure-state">Enter the release')
})

t.test('forms keep the parameters after a question mark in the filter', async t => {
  const confirmation = { text: '1 failure muted.', undoId: 'u1' }
  const url = '/development?q=why?&state=all'
  const actionsOf = (shown: DevelopmentFailures | DevelopmentFailure) => {
    const html = render(<PageAt url={url} shown={{ ...shown, confirmation }} />)
    return new Set(
      [...html.matchAll(/action="(\/development[^"]*)" method="post"/g)].map(([, action]) => action),
    )
  }
  t.same(actionsOf(content), new Set(['/development?q=why%3F&amp;state=all#failures']))
  t.ok(actionsOf(shown).has('/development?q=why%3F&amp;state=all&amp;shown=0123456789#failure'))
})

t.test('filters the list by state', async t => {
  const states = { open: 3, resolved: 2, muted: 1 }
  const html = render(<Development content={{ ...content, states, state: 'muted', sort: 'frequent' }} />)
  t.match(textOf(html), 'Open 3 Resolved 2 Muted 1 All 6')
  t.match(textOf(html), 'No muted failures in the last 24 hours')
  const links = linksTo('/development', html)
  for (const query of [{}, { state: 'resolved' }, { state: 'muted' }, { state: 'all' }]) {
    t.ok(
      links.some(
        link => JSON.stringify(link) === JSON.stringify({ sort: 'frequent', ...query, range: '24h' }),
      ),
    )
  }
})

t.test('rows show where a failure occurs, and every state except open', async t => {
  const row = (overrides: Partial<FailureDetail>) =>
    textOf(render(<Development content={{ ...content, failures: [{ ...failure, ...overrides }] }} />))
  const occurring = { services: ['api', 'shop'], serviceCount: 2, route: 'POST /pay', release: '1.4.0' }
  t.match(row(occurring), 'PaymentError card <b>declined</b> api and 1 more POST /pay 1.4.0 4163817072')
  t.match(row({ state: 'muted' }), 'declined</b> Muted shop')
  t.match(row({ state: 'resolved' }), 'declined</b> Resolved shop')
  const returned = { release: '1.5.0', atMs: testNowMs }
  t.match(row({ returned }), 'declined</b> Returned in 1.5.0 shop')
})

t.test('the filters and the sort order preserve each other', async t => {
  const html = render(
    <Development
      content={{
        ...content,
        failures: [failure],
        services: ['api', 'shop'],
        service: 'shop',
        text: 'card',
        sort: 'trend',
      }}
    />,
  )
  const filters = { q: 'card', service: 'shop' }
  const links = linksTo('/development', html)
  t.same(
    links.filter(({ range }) => range === '7d'),
    [{ ...filters, sort: 'trend', range: '7d' }],
  )
  for (const sort of [{ sort: 'frequent' }, { sort: 'age' }, {}]) {
    t.ok(
      links.some(link => JSON.stringify(link) === JSON.stringify({ ...filters, ...sort, range: '24h' })),
      JSON.stringify(sort),
    )
  }
  t.match(html, '<input type="hidden" name="sort" value="trend"/>')
  t.match(html, '<option value="shop"')
})

t.test('an empty list links to the list without the filter', async t => {
  const html = render(<Development content={{ ...content, text: 'card', state: 'all' }} />)
  t.match(textOf(html), 'No failures in the last 24 hours match the filter')
  t.ok(linksTo('/development', html).some(link => link.q === undefined && link.state === 'all'))
})

t.test('sums the chunk sizes', async t => {
  t.match(textOf(render(<Development content={build} />)), 'Total 3 KB 1 KB 800 B')
})

t.test('lists the drills, or explains how to enable them', async t => {
  t.match(textOf(render(<Development content={{ view: 'drill', drill: null }} />)), 'SIXPANE_DRILL=1')
  const drill = [{ stage: 'late', label: 'Throw late', href: '/development?drill=late' }] as const
  const html = render(<Development content={{ view: 'drill', drill: [...drill] }} />)
  t.same(
    linksTo('/development', html).filter(({ drill }) => drill !== undefined),
    [{ drill: 'late' }],
  )
})

t.test('omitted digests are counted, and link to all occurrences with a digest', async t => {
  const html = renderFailure({ digestCount: 19 })
  t.match(textOf(html), 'and 17 more')
  t.ok(linksTo('/activities', html).some(({ q }) => q === 'failure:0123456789 digest:*'))
  t.notMatch(textOf(renderFailure({})), 'more')
})

t.test('the number of occurrences in a release links to them', async t => {
  const perRelease = [
    { release: '1.4 (beta)', count: 3, firstSeenMs: testNowMs - 60_000, lastSeenMs: testNowMs },
    { release: null, count: 1, firstSeenMs: testNowMs, lastSeenMs: testNowMs },
  ]
  const html = renderFailure({ perRelease })
  const links = linksTo('/activities', html.slice(html.indexOf('class="releases"'))).slice(0, 2)
  const to = '2026-11-21T14:03:22.124Z'
  t.match(links, [
    { q: 'failure:0123456789 release:"1.4 (beta)"', from: '2026-11-21T14:02:22.123Z', to },
    { q: 'failure:0123456789 -release:*', from: '2026-11-21T14:03:22.123Z', to },
  ])
})

t.test('shows how many services and releases are omitted', async t => {
  t.notMatch(textOf(renderFailure({})), /older release|others/)
  const services = Array.from({ length: 100 }, (_, index) => `id-${index}`)
  const text = textOf(renderFailure({ services, serviceCount: 131, omittedReleases: 30 }))
  t.match(text, /\+119 more .* and 31 others/)
  t.match(text, 'and 30 older releases')
})
