import t from 'tap'
import type { DashboardContent, RequestFigures } from '../../../shared/content.ts'
import { drawn } from '../../../shared/markup.ts'
import { render, testNowMs, textOf } from '../../components/testing.tsx'
import Dashboard from './index.tsx'

const none: RequestFigures = {
  requests: 0,
  errors: 0,
  rate: 0,
  errorRatio: null,
  p50Ms: null,
  p95Ms: null,
  p99Ms: null,
}
const some: RequestFigures = {
  requests: 1200,
  errors: 12,
  rate: 2,
  errorRatio: 0.01,
  p50Ms: 10,
  p95Ms: 20,
  p99Ms: 30,
}

const content: DashboardContent = {
  range: { span: '1h' },
  window: { fromMs: testNowMs - 3_600_000, toMs: testNowMs },
  service: 'shop',
  services: ['shop', 'web & co'],
  now: some,
  before: none,
  eventsHref: '/activities?q=all',
  errorsHref: '/activities?q=errors',
  charts: [{ id: 'rate', title: 'Request rate', unit: 'per second', chart: drawn('rate', '<svg></svg>') }],
  sort: 'failing',
  routes: [
    {
      ...some,
      service: 'shop',
      method: 'GET',
      route: '/cart',
      eventsHref: '/activities?q=a',
      errorsHref: '/activities?q=b',
    },
    {
      ...some,
      errors: 0,
      service: 'shop',
      method: null,
      route: null,
      eventsHref: '/activities?q=c',
      errorsHref: '/activities?q=d',
    },
  ],
  routeCount: 57,
  process: { eventLoopDelayMs: 1, heapUsedBytes: 2e6, rssBytes: 3e6, cpuRatio: 0.5, uptimeMs: 61_000 },
  ingest: {
    eventsPerSecond: 3,
    accepted: 4,
    refused: 5,
    passedOver: 7,
    dropped: 6,
    diskBytes: 7e6,
    kept: 8,
    oldestMs: testNowMs - 7_200_000,
  },
}

t.test('figures stand with those of the period before', async t => {
  const text = textOf(render(<Dashboard content={content} />))
  t.match(text, 'Requests 1,200 before: 0 Rate 2/s before: 0/s Error ratio 1 % before: –')
  t.match(text, 'p95 20 ms before: –')
  t.match(text, '12 failed requests')
})

t.test('each number of requests leads to them; none that failed lead nowhere', async t => {
  const html = render(<Dashboard content={content} />)
  for (const href of ['all', 'errors', 'a', 'b', 'c']) t.match(html, `href="/activities?q=${href}"`)
  t.notMatch(html, 'q=d')
  t.match(textOf(html), 'Routes 2 of 57')
  t.match(textOf(html), '(no route)')
})

t.test('a choice keeps the other choices', async t => {
  const html = render(<Dashboard content={content} />)
  t.match(html, 'href="/dashboard?service=web+%26+co&amp;range=1h&amp;sort=failing"')
  t.match(html, 'href="/dashboard?range=1h&amp;sort=failing"')
  t.match(html, 'href="/dashboard?service=shop&amp;range=7d&amp;sort=failing"')
  t.match(html, 'href="/dashboard?service=shop&amp;range=1h&amp;sort=busiest"')
})

t.test('no requests: what makes an event one, and no empty charts', async t => {
  const text = textOf(render(<Dashboard content={{ ...content, now: none, before: some, routes: [] }} />))
  t.match(text, 'No requests in the last hour')
  t.match(text, '"status":200,"durationMs":12.5')
  t.match(text, 'The period before had 1,200.')
  t.notMatch(text, 'Request rate')
  t.match(text, 'Ingest and store')
})
