import t from 'tap'
import { htmlFragment } from '../../../shared/html-fragment.ts'
import type { RequestMetrics } from '../../../shared/request-metrics.ts'
import type { DashboardOverview, DashboardRoutes, DashboardTable } from '../../../shared/screens/dashboard.ts'
import { render, testNowMs, textOf } from '../../components/testing.tsx'
import Dashboard from './index.tsx'

const none: RequestMetrics = {
  requests: 0,
  errors: 0,
  rate: 0,
  errorRatio: null,
  p50Ms: null,
  p95Ms: null,
  p99Ms: null,
}
const counts = { requests: 1200, errors: 12, p50Ms: 10, p95Ms: 20, p99Ms: 30 }
const some: RequestMetrics = { ...counts, rate: 2, errorRatio: 0.01 }

const chart = { id: 'rate' as const, title: 'Request rate', unit: 'per second' }

const content: DashboardOverview = {
  view: 'overview',
  range: { span: '1h' },
  window: { fromMs: testNowMs - 3_600_000, toMs: testNowMs },
  service: 'shop',
  services: [
    { service: 'shop', state: 'failing' },
    { service: 'web & co', state: 'ok' },
  ],
  now: some,
  before: { ...some, requests: 1000, rate: 1.6, errorRatio: 0.004, p50Ms: 4, p95Ms: 25, p99Ms: null },
  isBeforeStored: true,
  charts: [{ ...chart, chart: htmlFragment('rate', '<svg></svg>') }],
  compare: true,
  heatMap: { ...chart, id: 'durations', chart: htmlFragment('durations', '<svg></svg>') },
  releases: [{ service: 'shop', release: '1.4.2', atMs: testNowMs - 60_000 }],
  releaseCount: 3,
  sort: 'failing',
  routes: [
    { ...counts, service: 'shop', method: 'GET', route: '/cart' },
    { ...counts, errors: 0, service: 'shop', method: null, route: null },
  ],
  routeCount: 57,
  vitals: [
    {
      service: 'shop',
      route: '/cart',
      metrics: [
        {
          name: 'LCP',
          p75: 3100,
          rating: 'needs improvement',
          count: 1200,
          sparkline: [1, 2],
        },
      ],
    },
  ],
  sessions: [
    { service: 'web', release: '2.0.0', started: 10_000, crashed: 3 },
    { service: 'shop', release: null, started: 12, crashed: 0 },
  ],
  self: {
    process: { eventLoopDelayMs: 1, heapUsedBytes: 2e6, rssBytes: 3e6, cpuRatio: 0.5, uptimeMs: 61_000 },
    recorded: {
      series: { heapUsedBytes: [1e6, null, 5e6], queryMs: [4, 12, null] },
      eventsHref: '/activities?q=own',
    },
    ingest: {
      eventsPerSecond: 3,
      accepted: 4,
      rejected: 5,
      ignored: { span: 1200, replay: 1, 'discarded by an SDK': 3 },
      dropped: 6,
      diskBytes: 7e6,
      stored: 8,
      oldestMs: testNowMs - 7_200_000,
    },
  },
}

t.test('compares each number with the previous period', async t => {
  const text = textOf(render(<Dashboard content={content} />))
  t.match(text, 'Overview vs. previous hour')
  t.match(text, 'Requests 1,200 ▲ 20% more 1,000 previously Rate 2.00/s ▲ 25% higher 1.60/s previously')
  t.match(text, 'Error rate 1.00% ▲ 0.6 points higher 0.40% previously')
  t.match(
    text,
    'p50 10.0 ms ▲ 2.5 times as long 4.00 ms previously p95 20.0 ms ▼ 20% faster 25.0 ms previously',
  )
  t.match(text, 'p99 30.0 ms – previously')
  t.match(text, '12 failed requests')
})

t.test('p95 and p99 link to the requests that took at least that long; p50 has no link', async t => {
  const html = render(<Dashboard content={content} />)
  t.match(
    html,
    /href="\/activities\?q=service:shop\+status:\*\+duration:%3E%3D19\.7&amp;from=[^"]*" aria-label="Requests taking about 20\.0 ms or longer, in the log">20\.0 ms<\/a>/,
  )
  t.match(html, 'href="/activities?q=service:shop+status:*+duration:%3E%3D29.6&amp;from=')
  t.equal(
    html.match(/Requests taking about/g)?.length,
    2,
    'p50 has no link, because half of the requests are slower',
  )
})

t.test('request counts link to their events, except a failure count of zero', async t => {
  const html = render(<Dashboard content={content} />)
  const all = 'status:*+duration:*'
  const failed = 'status:%3E%3D500+duration:*'
  for (const q of [
    `service:shop+${all}`,
    `service:shop+${failed}`,
    `service:shop+method:GET+route:/cart+${all}`,
    `service:shop+method:GET+route:/cart+${failed}`,
    `service:shop+-method:*+-route:*+${all}`,
  ])
    t.match(html, `href="/activities?q=${q}&amp;from=`)
  t.notMatch(html, `-route:*+${failed}`)
  t.match(textOf(html), 'Routes 2 of 57')
  t.match(textOf(html), 'GET /cart shop 1,200 20.0 12 1.00% 10.0 ms 20.0 ms 30.0 ms')
  t.match(textOf(html), '(no route)')
})

t.test('shows the share of sessions without a crash by release', async t => {
  const html = render(<Dashboard content={content} />)
  const text = textOf(html)
  t.match(text, '2.0.0 web 10,000 3 99.97%')
  t.match(text, '(no release) shop 12 0 100%')
  t.match(html, 'href="/activities?q=service:web+release:2.0.0+sessions.crashed:%3E0+source:sentry&amp;from=')
  const none = render(<Dashboard content={{ ...content, sessions: [] }} />)
  t.notMatch(textOf(none), 'Sessions')
})

t.test('shows how much telemetry of each kind was ignored', async t => {
  const text = textOf(render(<Dashboard content={content} />))
  t.match(text, 'Ignored 1,204')
  t.match(text, 'Ignored since startup: 1,200 spans, 1 session replay, 3 items discarded by SDKs')
})

t.test('lists the newest releases and counts the earlier ones', async t => {
  const html = render(<Dashboard content={content} />)
  t.match(textOf(html), '3 releases 14:02 shop 1.4.2 +2 earlier')
  t.match(html, 'href="/activities?q=service:shop+release:1.4.2&amp;from=')
  t.notMatch(
    render(<Dashboard content={{ ...content, releases: [], releaseCount: 0 }} />),
    'dashboard-releases',
  )
})

t.test('a link switches the comparison on or off, if there is a previous period to compare with', async t => {
  t.match(
    render(<Dashboard content={content} />),
    'href="/dashboard?service=shop&amp;range=1h&amp;sort=failing&amp;compare=off" aria-current="true"',
  )
  const off = render(<Dashboard content={{ ...content, compare: false }} />)
  t.match(off, 'href="/dashboard?service=shop&amp;range=1h&amp;sort=failing"')
  t.match(off, '<input type="hidden" name="compare" value="off"/>')
  const alone = textOf(render(<Dashboard content={{ ...content, before: null }} />))
  t.match(alone, 'Not compared with the previous hour, which had requests for only part of the time.')
  t.notMatch(alone, 'Compare in charts', 'a switch would have no effect')
  const expired = { ...content, before: null, isBeforeStored: false }
  t.match(
    textOf(render(<Dashboard content={expired} />)),
    'Not compared with the previous hour, because events from part of that time are not stored.',
  )
})

t.test('a chart table preserves the view and links back to all charts', async t => {
  const { range, window, service, compare, sort, releases } = content
  const shown: DashboardTable = {
    ...{ range, window, service, compare, sort, releases },
    view: 'table',
    chart: { ...chart, chart: htmlFragment('rate', '<svg></svg>') },
    table: htmlFragment('rate-table', '<table></table>'),
  }
  const html = render(<Dashboard content={shown} />)
  t.match(html, 'data-fragment="rate-table"><table></table>')
  t.match(html, 'href="/dashboard?service=shop&amp;range=1h&amp;sort=failing">All charts for shop</a>')
  t.match(html, 'href="/dashboard?service=shop&amp;range=7d&amp;sort=failing&amp;table=rate"')
  t.match(html, '<input type="hidden" name="table" value="rate"/>')
})

t.test('links to a list of all routes, in which percentiles link to slow requests', async t => {
  const overview = render(<Dashboard content={content} />)
  t.match(
    overview,
    'href="/dashboard?service=shop&amp;range=1h&amp;sort=failing&amp;table=routes">Show all 57 routes</a>',
  )
  t.match(
    textOf(render(<Dashboard content={{ ...content, routeCount: 1000 }} />)),
    'Show the 1,000 busiest routes',
  )
  t.notMatch(textOf(render(<Dashboard content={{ ...content, routeCount: 2 }} />)), 'Show all')

  const { range, window, service, compare, sort, routes } = content
  const shown: DashboardRoutes = {
    ...{ range, window, service, compare, sort, routes },
    view: 'routes',
    first: 51,
    page: 2,
    routeCount: 120,
  }
  const html = render(<Dashboard content={shown} />)
  t.match(textOf(html), 'Routes , 51–52 of 120')
  t.match(html, 'href="/dashboard?service=shop&amp;range=1h&amp;sort=failing">Dashboard of shop</a>')
  t.match(html, 'table=routes">Previous</a>')
  t.match(html, 'table=routes&amp;page=3">Next</a>')
  t.match(html, 'href="/dashboard?service=shop&amp;range=7d&amp;sort=failing&amp;table=routes"')
  t.match(html, 'href="/dashboard?service=shop&amp;range=1h&amp;table=routes">Slowest</a>')
  t.match(html, '<input type="hidden" name="table" value="routes"/>')
  t.match(
    html,
    'href="/activities?q=service:shop+method:GET+route:/cart+status:*+duration:%3E%3D19.7&amp;from=',
  )
})

t.test('the error rate of a route has the colour of the state that a service with this rate has', async t => {
  const rows = [0, 1, 59, 60].map(errors => ({
    ...counts,
    errors,
    service: 'shop',
    method: null,
    route: `/${errors}`,
  }))
  const html = render(<Dashboard content={{ ...content, routes: rows }} />)
  const tones = [...html.matchAll(/<tr(?: data-tone="([^"]*)")?><th scope="row">\/\d/g)].map(
    ([, tone]) => tone,
  )
  t.same(tones, [undefined, 'warn', 'warn', 'bad'])
})

t.test('shows the rating and the events of each Web Vital, or that none were reported', async t => {
  const html = render(<Dashboard content={content} />)
  t.match(textOf(html), '/cart shop 3.10 s needs improvement 1,200 – – –')
  t.match(html, 'href="/activities?q=service:shop+route:/cart+vital.name:LCP+')
  const empty = render(<Dashboard content={{ ...content, vitals: [] }} />)
  t.match(textOf(empty), 'No Web Vitals reported in the last hour')
  t.match(empty, 'href="/development?view=connect"')
})

t.test('an absolute range has the same name everywhere', async t => {
  const html = render(<Dashboard content={{ ...content, range: content.window, vitals: [] }} />)
  t.match(textOf(html), 'No Web Vitals reported in the selected time range')
  t.match(html, 'aria-label="Heap, highest in the selected time range: 5 MB"')
})

t.test("shows the history of Sixpane's own metrics next to the current values", async t => {
  const html = render(<Dashboard content={content} />)
  t.match(html, 'aria-label="Heap, highest in the last hour: 5 MB"')
  t.match(html, 'aria-label="CPU: no data in the last hour"')
  t.match(textOf(html), 'Query time 12.0 ms')
  t.match(html, 'title="Average query time at the end of the time range"')
  t.match(html, 'href="/activities?q=own"')
})

t.test('links preserve the other parameters', async t => {
  const html = render(<Dashboard content={content} />)
  t.match(html, 'href="/dashboard?service=web+%26+co&amp;range=1h&amp;sort=failing"')
  t.match(html, 'href="/dashboard?range=1h&amp;sort=failing"')
  t.match(html, 'href="/dashboard?service=shop&amp;range=7d&amp;sort=failing"')
  t.match(
    html,
    'href="/dashboard?service=shop&amp;range=1h&amp;sort=busiest#routes"',
    'the routes stay in view when they are sorted',
  )
})

t.test('without requests, explains which events count as requests, and shows no charts', async t => {
  const text = textOf(render(<Dashboard content={{ ...content, now: none, before: some, routes: [] }} />))
  t.match(text, 'No requests in the last hour')
  t.match(text, '"status":200,"durationMs":12.5')
  t.match(
    text,
    'The previous period had 1,200 requests. Show all services , view its log , or connect a service .',
  )
  t.match(
    textOf(
      render(<Dashboard content={{ ...content, service: null, now: none, before: null, routes: [] }} />),
    ),
    'Select a longer time range, or connect a service .',
  )
  t.notMatch(text, 'Request rate')
  t.match(text, 'Ingest and store')
})

t.test('many services get a search field; only the worst and the selected one have links', async t => {
  const services = Array.from({ length: 9 }, (_, index) => ({
    service: `s${index}`,
    state: index === 0 ? ('degraded' as const) : ('ok' as const),
  }))
  const html = render(<Dashboard content={{ ...content, service: 's8', services }} />)
  const links = textOf(/<nav aria-label="Service">(.*?)<\/nav>/.exec(html)?.[1] ?? '')
  t.equal(links, 'All services degraded: s0 s1 s2 s3 s4 s5 s6 s8')
  t.match(html, '<option value="s7">')
  t.match(html, '<input type="hidden" name="range" value="1h"/>')
  t.notMatch(render(<Dashboard content={content} />), '<datalist')
})
